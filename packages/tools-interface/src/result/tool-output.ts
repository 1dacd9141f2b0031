import { describeIssues } from "../error/issue.ts";
import { ExecutionError, thrownMessage, ToolError } from "../error/tool-error.ts";
import { assertJson, toJsonText } from "../json/json.ts";
import type { Checked, CompiledSchema } from "../schema/compiled-schema.ts";
import {
  copyResult,
  failure,
  isToolResult,
  success,
  type ToolFailure,
  type ToolResult,
  type ToolSuccess,
} from "./tool-result.ts";

/**
 * Turns what `execute` answered into a result: wraps plain values, checks data, refuses what JSON cannot hold. Never
 * throws or rejects. Answers at once unless the output schema checks asynchronously: an `await` costs as much as
 * validating a small call.
 */
export function toResult(
  name: string,
  answered: unknown,
  output: CompiledSchema | undefined,
): ToolResult | Promise<ToolResult> {
  try {
    const result = isToolResult(answered) ? readable(answered) : plainSuccess(answered);
    if (!result.success) return result;
    if (output === undefined) return serialisable(result);
    const check = output.validate(result.data);
    return "then" in check
      ? check.then((settled) => checked(name, result, settled)).catch((error: unknown) => unusable(name, error))
      : checked(name, result, check);
  } catch (error) {
    return unusable(name, error);
  }
}

/** What a model reads of a success that says nothing. */
const NO_OUTPUT = "Done, no output";

/** The failure that stands for something thrown. */
export function thrownResult(name: string, thrown: unknown): ToolResult {
  const error = ToolError.isInstance(thrown) ? thrown : new ExecutionError(name, thrown);
  return failure(error.message, { code: error.code });
}

/** The failure of a call that was cancelled before its tool was started. */
export function notStartedResult(name: string): ToolFailure {
  return failure(`${name} was cancelled before it started: nothing was done`, {
    code: "cancelled",
    stopped: true,
    effects: "none",
  });
}

/** What a model reads is a text with something in it: providers refuse an empty one. */
function readable(result: ToolResult): ToolResult {
  const text: unknown = result.success ? result.output : result.error;
  if (typeof text !== "string") throw new TypeError(`its text is of type ${typeof text}`);
  if (text !== "") return result;
  return copyResult(result, { text: result.success ? NO_OUTPUT : `The tool failed without a word: ${result.code}` });
}

function plainSuccess(value: unknown): ToolSuccess {
  if (value === undefined || value === "") return success(NO_OUTPUT, { data: value });
  if (typeof value === "string") return success(value, { data: value });
  return success(toJsonText(value), { data: value });
}

function serialisable(result: ToolSuccess): ToolResult {
  assertJson(result.data);
  return result;
}

function checked(name: string, result: ToolSuccess, check: Checked): ToolResult {
  if (check.issues !== undefined) {
    return failure(
      describeIssues(
        `${name} ran, but its data does not fit the output it declares`,
        check.issues,
        "This is a fault of the tool, not of the call",
      ),
      { code: "invalid_output" },
    );
  }
  assertJson(check.value);
  const { output: text, content, metadata } = result;
  return success(text, { data: check.value, ...(content && { content }), metadata });
}

function unusable(name: string, error: unknown): ToolResult {
  return failure(`${name} ran, but its result cannot be passed on: ${thrownMessage(error)}`, {
    code: "invalid_output",
  });
}
