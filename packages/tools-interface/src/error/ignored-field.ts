import { quote } from "./describe-received.ts";
import { formatPath, MAX_ISSUES, type FoundIssues, type Issue } from "./issue.ts";

/** A field of a call that the tool was not given, because its schema does not name it. */
export interface IgnoredField {
  /** Keys and indices from the root of the parameters to the field. */
  readonly path: Issue["path"];
  /** The field that was probably meant, of the same object and not sent. */
  readonly meant?: string;
}

/** The fields that a tool was not given. */
export interface IgnoredFields {
  /** The first of them. */
  readonly listed: readonly IgnoredField[];
  /** How many more there are. A call with any is refused: its result could not list them. */
  readonly others: number;
}

/** Most keys in the paths of listed fields. A result may have 2,000,000 parts, of which each field takes up to three more. */
export const MAX_LISTED_KEYS = 200_000;

/** Most fields that are named. */
const MAX_NAMED = 5;

/** One line for the model on the fields that a tool was not given. */
export function describeIgnored(ignored: readonly IgnoredField[]): string {
  const named = ignored.slice(0, MAX_NAMED).map(({ path, meant }) => {
    const hint = meant === undefined ? "" : ` (did you mean ${quote(meant)})`;
    return quote(formatPath(path)) + hint;
  });
  const more = ignored.length > MAX_NAMED ? ` and ${ignored.length - MAX_NAMED} more` : "";
  return `Ignored, because the tool has no such ${ignored.length === 1 ? "field" : "fields"}: ${named.join(", ")}${more}`;
}

/** The same fields as issues, for a tool that is not to run without them. */
export function ignoredIssues({ listed, others }: IgnoredFields): FoundIssues {
  const issues = listed.slice(0, MAX_ISSUES).map(({ path }) => {
    return { path: path.slice(0, -1), message: `Unrecognized key: ${quote(String(path.at(-1)))}` };
  });
  return { issues, others: listed.length - issues.length + others };
}
