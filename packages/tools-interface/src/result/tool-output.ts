import { describeIssues } from "../error/issue.ts";
import { describeThrown, ExecutionError, ToolError } from "../error/tool-error.ts";
import { jsonSnapshot } from "../json/json.ts";
import type { Checked, CompiledSchema } from "../schema/compiled-schema.ts";
import { isPending } from "../wait/thenable.ts";
import {
  copyResult,
  failure,
  isToolResult,
  readResult,
  successWithData,
  type ToolFailure,
  type ToolResult,
  type ToolSuccess,
} from "./tool-result.ts";

/** The text for a model of a success without output: providers refuse an empty one. */
const NO_OUTPUT = "Done, no output";

/**
 * Turns the return value of `execute` into a result: wraps plain values, copies data, refuses values without a JSON
 * form. Never throws or rejects. Returns synchronously unless the output schema checks asynchronously: an `await` costs
 * as much as validating a small call.
 */
export function toResult(
  name: string,
  answered: unknown,
  output: CompiledSchema | undefined,
): ToolResult | Promise<ToolResult> {
  try {
    if (output === undefined && !isToolResult(answered)) return plainSuccess(answered, false);
    const result = isToolResult(answered) ? withText(readResult(answered)) : plainSuccess(answered, true);
    if (!result.success) return result;
    const { data } = result;
    // A copy, because the tool's own data may change later.
    if (output === undefined)
      return typeof data === "string" || data === undefined ? result : copyResult(result, { data: jsonSnapshot(data) });
    const check = output.validate(data);
    return isPending(check)
      ? check.then((settled) => checked(name, result, settled)).catch((error: unknown) => unusable(name, error))
      : checked(name, result, check);
  } catch (error) {
    return unusable(name, error);
  }
}

/** The failure that stands for something thrown. Never throws: a `ToolError` may have a code that is no text. */
export function thrownResult(name: string, thrown: unknown): ToolResult {
  try {
    const error = ToolError.isInstance(thrown) ? thrown : new ExecutionError(name, thrown);
    return failure(error.message, { code: error.code });
  } catch (unfit) {
    return unusable(name, unfit);
  }
}

/** The failure of a call that was cancelled before its tool was started. */
export function notStartedResult(name: string): ToolFailure {
  return failure(`${name} was cancelled before it started: nothing was done`, {
    code: "cancelled",
    stopped: true,
    effects: "none",
  });
}

function withText(result: ToolResult): ToolResult {
  if (String(result) !== "") return result;
  return copyResult(result, {
    text: result.success ? NO_OUTPUT : `The tool failed without a word: ${result.code}`,
  });
}

/** The data is the snapshot that the text shows, unless the output schema has to see the value itself. */
function plainSuccess(value: unknown, isChecked: boolean): ToolSuccess {
  if (value === undefined || value === "") return successWithData(NO_OUTPUT, value);
  if (typeof value === "string") return successWithData(value, value);
  const plain = jsonSnapshot(value);
  const text = plain === undefined ? NO_OUTPUT : JSON.stringify(plain);
  return successWithData(text, isChecked ? value : plain);
}

function checked(name: string, result: ToolSuccess, check: Checked): ToolResult {
  if (check.issues !== undefined) {
    return failure(
      describeIssues(
        `${name} ran, but its data does not fit the output it declares`,
        check,
        "This is a fault of the tool, not of the call",
      ),
      { code: "invalid_output" },
    );
  }
  return copyResult(result, { data: jsonSnapshot(check.value) });
}

function unusable(name: string, error: unknown): ToolResult {
  return failure(`${name} ran, but its result cannot be passed on: ${describeThrown(error)}`, {
    code: "invalid_output",
  });
}
