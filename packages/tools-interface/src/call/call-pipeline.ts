import { describeIgnored, ignoredIssues, type IgnoredField } from "../error/ignored-field.ts";
import { ValidationError, type FoundIssues } from "../error/issue.ts";
import { thrownMessage } from "../error/tool-error.ts";
import type { Diagnosis } from "../repair/explain-issues.ts";
import type { InvalidParamsHandler, Repaired } from "../repair/invalid-params.ts";
import { loadInvalidParams } from "../repair/load-invalid-params.ts";
import type { Repair } from "../repair/repair.ts";
import { notStartedResult, thrownResult } from "../result/tool-output.ts";
import {
  failure,
  isToolResult,
  withLine,
  withRepairs,
  type ToolFailure,
  type ToolResult,
} from "../result/tool-result.ts";
import type { Checked, CompiledSchema } from "../schema/compiled-schema.ts";
import { beforeStart } from "../wait/before-start.ts";
import { asksApproval, type ApprovalRule } from "./approval-rule.ts";
import { DEFAULT_MAX_RUNNING, isFull, nextTurn, tooManyCalls } from "./calls-in-flight.ts";
import { withEdits } from "./edited-params.ts";
import { executeTool, type ExecutableTool } from "./execute-tool.ts";
import { invalidOptionsResult, isChecked, readHostOptions } from "./host-options.ts";
import { permit, type ValidatedCall } from "./permit.ts";
import { RunningCall } from "./running-call.ts";
import type { CallOptions, Tool, Validation } from "./tool.ts";
import { translated, type Translate, type Translated } from "./translation.ts";

/** A tool with its schemas compiled. The functions below are the steps of a call, in their order. */
export interface CallableTool extends ExecutableTool, Pick<Tool, "repair"> {
  readonly needsApproval: ApprovalRule;
  /** Reads the part of the context that an approval is bound to. */
  readonly approvalContext: ((context: unknown) => unknown) | undefined;
  readonly parameters: CompiledSchema;
  /** Reads calls in the shape of another tool. */
  readonly translate: Translate | undefined;
  readonly context: CompiledSchema["validate"] | undefined;
  /** Made at the first call with invalid parameters. */
  invalidParams: InvalidParamsHandler | undefined;
}

const NO_REPAIRS: readonly Repair[] = Object.freeze([]);

/** Most steps answer at once: an `await` costs as much as a validation, so none is made where nothing is pending. */
type MaybePending = ToolResult | Promise<ToolResult>;

/** Runs one call from parameters to result: validate, repair, check the context, approve, execute. Never rejects. */
export function callTool(tool: CallableTool, params: unknown, given: CallOptions): Promise<ToolResult> {
  try {
    const turn = nextTurn();
    if (turn !== undefined) return turn.then(() => callTool(tool, params, given));
    const options = isChecked(given) ? given : readHostOptions(given, "call");
    if (options.invalid !== undefined) return Promise.resolve(invalidOptionsResult(tool.name, options.invalid));
    if (options.signal?.aborted) return Promise.resolve(notStartedResult(tool.name));
    const { maxRunningCalls = DEFAULT_MAX_RUNNING } = options;
    if (isFull(maxRunningCalls)) return Promise.resolve(tooManyCalls(tool.name, maxRunningCalls, "in this process"));
    const check = tool.parameters.validate(params);
    return Promise.resolve(
      "then" in check ? whenChecked(tool, params, check, options) : handleCheck(tool, params, check, options),
    );
  } catch (thrown) {
    return Promise.resolve(uncheckedResult(tool.name, params, thrown));
  }
}

/** For errors thrown before the tool starts: by parameters that cannot be read, or by the schema's own check. */
function uncheckedResult(name: string, params: unknown, thrown: unknown): ToolResult {
  try {
    JSON.stringify(params);
    return thrownResult(name, thrown);
  } catch (unreadable) {
    const text = `Cannot call ${name}: its parameters cannot be read, ${thrownMessage(unreadable)}. Send them as plain JSON`;
    return failure(text, { code: "invalid_params", effects: "none" });
  }
}

async function whenChecked(
  tool: CallableTool,
  params: unknown,
  pending: PromiseLike<Checked>,
  options: CallOptions,
): Promise<ToolResult> {
  try {
    const check = await beforeStart(pending, tool, options.signal);
    if (options.signal?.aborted) return notStartedResult(tool.name);
    return await (isToolResult(check) ? check : handleCheck(tool, params, check, options));
  } catch (thrown) {
    return uncheckedResult(tool.name, params, thrown);
  }
}

function handleCheck(tool: CallableTool, params: unknown, check: Checked, options: CallOptions): MaybePending {
  if (check.issues === undefined && tool.parameters.namesFields(params))
    return callValidated(tool, params, check.value, options);
  const meant = tool.translate && translated(tool.name, tool.translate, params);
  if (isToolResult(meant)) return meant;
  if (meant !== undefined) return callTranslated(tool, meant, options);
  return check.issues === undefined
    ? callWithUnknownFields(tool, params, check.value, options, NO_REPAIRS)
    : handleMismatch(tool, params, check, options, NO_REPAIRS);
}

async function callTranslated(
  tool: CallableTool,
  { params, repairs }: Translated,
  options: CallOptions,
): Promise<ToolResult> {
  try {
    const check = await beforeStart(Promise.resolve(tool.parameters.validate(params)), tool, options.signal);
    if (options.signal?.aborted) return notStartedResult(tool.name);
    if (isToolResult(check)) return check;
    return withRepairs(await handleMismatch(tool, params, check, options, repairs), repairs);
  } catch (thrown) {
    return uncheckedResult(tool.name, params, thrown);
  }
}

/** @param made - Repairs made to the parameters before. */
function handleMismatch(
  tool: CallableTool,
  params: unknown,
  check: Checked,
  options: CallOptions,
  made: readonly Repair[],
): MaybePending {
  if (check.issues === undefined) {
    return tool.parameters.namesFields(params)
      ? callValidated(tool, params, check.value, options, made)
      : callWithUnknownFields(tool, params, check.value, options, made);
  }
  const handler = invalidParamsOf(tool);
  if (!(handler instanceof Promise)) return handleInvalid(tool, handler, params, check, options, made);
  return handler
    .then((loaded) => handleInvalid(tool, loaded, params, check, options, made))
    .catch((thrown: unknown) => uncheckedResult(tool.name, params, thrown));
}

/**
 * The schema accepts the parameters and does not name all of their fields: `schema/unknown-fields.ts` decides about the
 * others.
 */
async function callWithUnknownFields(
  tool: CallableTool,
  params: unknown,
  value: unknown,
  options: CallOptions,
  made: readonly Repair[],
): Promise<ToolResult> {
  try {
    const handler = await invalidParamsOf(tool);
    const reread = await beforeStart(handler.reread(params, tool.repair), tool, options.signal);
    if (options.signal?.aborted) return notStartedResult(tool.name);
    if (isToolResult(reread)) return reread;
    if (reread !== undefined) return await callRepaired(tool, handler, params, reread, options, made);
    const ignored = handler.ignoredFields(params, value);
    if (ignored.length > 0 && tool.repair === "off") {
      return invalidParamsResult(handler, handler.diagnose(params, ignoredIssues(ignored)));
    }
    return withIgnored(await callValidated(tool, params, value, options, made), ignored);
  } catch (thrown) {
    return uncheckedResult(tool.name, params, thrown);
  }
}

async function callRepaired(
  tool: CallableTool,
  handler: InvalidParamsHandler,
  sent: unknown,
  { params, value, repairs, ignored }: Repaired,
  options: CallOptions,
  made: readonly Repair[],
): Promise<ToolResult> {
  const all = [...ignored, ...handler.ignoredFields(params, value)];
  return withIgnored(withRepairs(await callValidated(tool, sent, value, options, [...made, ...repairs]), repairs), all);
}

/** The same result with ignored fields: for the host in `ignored`, for the model in a line after the text. */
function withIgnored(result: ToolResult, ignored: readonly IgnoredField[]): ToolResult {
  if (ignored.length === 0) return result;
  return withLine(result, describeIgnored(ignored), { ignored: [...result.ignored, ...ignored] });
}

function invalidParamsOf(tool: CallableTool): InvalidParamsHandler | Promise<InvalidParamsHandler> {
  return (
    tool.invalidParams ??
    loadInvalidParams((module) => (tool.invalidParams ??= new module.InvalidParamsHandler(tool.name, tool.parameters)))
  );
}

function handleInvalid(
  tool: CallableTool,
  handler: InvalidParamsHandler,
  params: unknown,
  found: FoundIssues,
  options: CallOptions,
  made: readonly Repair[],
): MaybePending {
  const diagnosis = handler.diagnose(params, found);
  return handler.isRepairable(params, diagnosis, tool.repair)
    ? repairAndCall(tool, handler, params, diagnosis, options, made)
    : invalidParamsResult(handler, diagnosis);
}

async function repairAndCall(
  tool: CallableTool,
  handler: InvalidParamsHandler,
  params: unknown,
  diagnosis: Diagnosis,
  options: CallOptions,
  made: readonly Repair[],
): Promise<ToolResult> {
  try {
    const repaired = await beforeStart(handler.repair(params, diagnosis, tool.repair), tool, options.signal);
    if (options.signal?.aborted) return notStartedResult(tool.name);
    if (repaired === undefined) return invalidParamsResult(handler, diagnosis);
    if (isToolResult(repaired)) return repaired;
    return await callRepaired(tool, handler, params, repaired, options, made);
  } catch (thrown) {
    return uncheckedResult(tool.name, params, thrown);
  }
}

function invalidParamsResult(handler: InvalidParamsHandler, diagnosis: Diagnosis): ToolFailure {
  const { message, issues } = handler.explain(diagnosis);
  return failure(message, { code: "invalid_params", issues });
}

/** An approval is bound to `sent`, not to the validated `params`, which may hold values that JSON cannot. */
function callValidated(
  tool: CallableTool,
  sent: unknown,
  params: unknown,
  options: CallOptions,
  repairs: readonly Repair[] = NO_REPAIRS,
): MaybePending {
  const run = new RunningCall(tool, options);
  // A required context is checked before `needsApproval` reads it, and a policy is asked before both.
  const isOpen = tool.context === undefined && options.policy === undefined;
  const asks = isOpen ? asksApproval(tool.needsApproval, params, run.context) : undefined;
  return asks === false
    ? executeTool(tool, params, run, options)
    : executeApproved(tool, { sent, params, repairs, asks }, run, options);
}

async function executeApproved(
  tool: CallableTool,
  call: ValidatedCall,
  run: RunningCall,
  options: CallOptions,
): Promise<ToolResult> {
  try {
    return await permit(tool, call, run, options, async ({ params, edits }) => {
      if (options.signal?.aborted) return notStartedResult(tool.name);
      const result = await executeTool(tool, params, run, options);
      return edits.length === 0 ? result : withEdits(result, edits, params);
    });
  } catch (thrown) {
    return thrownResult(tool.name, thrown);
  }
}

/** Checks parameters without running anything, for `Tool.validate`. Never rejects. */
export async function validateParams(tool: CallableTool, sent: unknown): Promise<Validation> {
  let check: Checked;
  let params = sent;
  try {
    check = await tool.parameters.validate(params);
    if (tool.translate !== undefined && (check.issues !== undefined || !tool.parameters.namesFields(params))) {
      const meant = translated(tool.name, tool.translate, params);
      if (isToolResult(meant)) return { success: false, error: new ValidationError(meant.error, []) };
      if (meant !== undefined) check = await tool.parameters.validate((params = meant.params));
    }
  } catch (thrown) {
    check = { issues: [{ path: [], message: `the schema's own check failed, ${thrownMessage(thrown)}` }] };
  }
  if (check.issues === undefined && tool.parameters.namesFields(params)) {
    return { success: true, params: check.value, ignored: [] };
  }
  const handler = await invalidParamsOf(tool);
  if (check.issues === undefined) {
    const ignored = handler.ignoredFields(params, check.value);
    if (ignored.length === 0 || tool.repair !== "off") return { success: true, params: check.value, ignored };
    check = ignoredIssues(ignored);
  }
  const { message, issues } = handler.explain(handler.diagnose(params, check));
  return { success: false, error: new ValidationError(message, issues) };
}
