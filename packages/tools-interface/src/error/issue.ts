import { quote, truncate } from "./describe-received.ts";
import { ToolError } from "./tool-error.ts";

/** One thing that is wrong with a value. */
export interface Issue {
  /** Keys and indices from the root of the value to the place; empty for the root itself. */
  readonly path: readonly (string | number)[];
  /** The expectation and the value found, without a final full stop. */
  readonly message: string;
  /**
   * The values that the schema allows there, in words: `integer from 0 to 14`. Absent if only the tool's own check
   * knows.
   */
  readonly expected?: string;
  /** The value found, in at most 40 characters, secrets masked; `nothing` if it was missing. */
  readonly received?: string;
  /** The next step, as an imperative or a question without its mark: `send 3`, `did you mean "celsius"`. */
  readonly suggestion?: string;
}

/** The issues of a value; only the first are listed one by one. */
export interface FoundIssues {
  /** The first issues, at most {@link MAX_ISSUES}. */
  readonly issues: readonly Issue[];
  /** How many more there are. Default none. */
  readonly others?: number | undefined;
}

/** Limit for issues listed one by one: a long array can be wrong in every item. */
export const MAX_ISSUES = 100;

/** Most characters of a text about one issue. */
const MAX_CHARS_ONE_ISSUE = 300;
/** Most characters of a text about several issues; the issues left out are counted. */
const MAX_CHARS_ALL_ISSUES = 1_200;

/**
 * Parameters do not fit a tool's schema. Code `invalid_params`. The message is the text a model reads.
 *
 * @example
 * ```ts
 * const checked = await tool.validate({ city: 3 });
 * if (!checked.success) console.warn(checked.error.issues);
 * ```
 */
export class ValidationError extends ToolError {
  override readonly name: string = "ValidationError";
  /** One entry per problem, at most 100. */
  readonly issues: readonly Issue[];

  constructor(message: string, issues: readonly Issue[]) {
    super(message, { code: "invalid_params" });
    this.issues = issues;
  }
}

/**
 * `attempt`, then one line for each issue, then the next step, and `closing` if there is room for it. At most 300
 * characters for one issue and 120 more for `closing`, at most 1,200 for more issues, of which fewer are listed where
 * `closing` needs the room.
 */
export function describeIssues(
  attempt: string,
  { issues, others = 0 }: FoundIssues,
  nextStep?: string,
  closing?: string,
): string {
  const count = issues.length + others;
  const length = count === 1 ? MAX_CHARS_ONE_ISSUE : MAX_CHARS_ALL_ISSUES;
  const end = nextStep === undefined ? "" : `\n${nextStep}`;
  const isKept = closing !== undefined && closing.length <= (count === 1 ? MAX_CHARS_CLOSING : length / 3);
  const kept = isKept && count > 1 ? closing.length : 0;
  let text = `${attempt}:`;
  let listed = 0;
  for (const { path, message } of issues) {
    const line = `\n- ${formatPath(path)}: ${message}`;
    const limit = length - kept - text.length - end.length - (listed + 1 < count ? COUNT_CHARS : 0);
    if (line.length > limit && listed > 0) break;
    text += truncate(line, Math.max(limit, MIN_LINE_CHARS));
    listed += 1;
  }
  if (listed < count) text += `\n- and ${count - listed} more`;
  text += end;
  return closing !== undefined && (isKept || text.length + closing.length <= length) ? text + closing : text;
}

/** Characters by which the last part may exceed the limit of the rest. */
const MAX_CHARS_CLOSING = 120;
/** Characters that a line keeps even when the rest of the text is too long already. */
const MIN_LINE_CHARS = 80;
/** `\n- and 1000000 more` */
const COUNT_CHARS = 20;

/** `edits[0].old_text` for `["edits", 0, "old_text"]`; `(root)` for the value as a whole. */
export function formatPath(path: Issue["path"]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else if (/^[\w-]+$/.test(key)) text += text === "" ? key : `.${key}`;
    else text += `[${JSON.stringify(key)}]`;
  }
  return text || "(root)";
}

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
