import { ToolError } from "./tool-error.ts";

/** One thing that is wrong with a value. */
export interface Issue {
  /** Keys and indices from the root of the value to the place; empty for the root itself. */
  readonly path: readonly (string | number)[];
  /** What was expected there and what was found, without a final full stop. */
  readonly message: string;
}

/** How many issues a text lists at most; the rest is counted. */
const LISTED_ISSUES = 20;
/** How long one issue's line may get, in characters. */
const LINE_LENGTH = 300;

/** Parameters do not fit a tool's schema. Code `invalid_params`. The message is the text a model reads. */
export class ValidationError extends ToolError {
  override readonly name: string = "ValidationError";
  /** What is wrong, one entry a problem. */
  readonly issues: readonly Issue[];

  constructor(attempt: string, issues: readonly Issue[], nextStep?: string) {
    super(describeIssues(attempt, issues, nextStep), { code: "invalid_params" });
    this.issues = issues;
  }
}

/** `attempt`, then one line for each issue, then what to do next. */
export function describeIssues(attempt: string, issues: readonly Issue[], nextStep?: string): string {
  let text = `${attempt}:`;
  for (const { path, message } of issues.slice(0, LISTED_ISSUES)) {
    text += `\n- ${`${formatPath(path)}: ${message}`.slice(0, LINE_LENGTH)}`;
  }
  if (issues.length > LISTED_ISSUES) text += `\n- and ${issues.length - LISTED_ISSUES} more`;
  return nextStep === undefined ? text : `${text}\n${nextStep}`;
}

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
