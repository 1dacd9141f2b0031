import { describeIssues, formatPath, ValidationError, type Issue } from "../error/issue.ts";
import { thrownMessage } from "../error/tool-error.ts";
import type { Diagnosis } from "../repair/explain-issues.ts";
import type { InvalidParams } from "../repair/invalid-params.ts";
import { withInvalidParams } from "../repair/load-invalid-params.ts";
import type { RepairPolicy } from "../repair/repair.ts";
import { notStartedResult, thrownResult } from "../result/tool-output.ts";
import { failure, isToolResult, withRepairs, type ToolFailure, type ToolResult } from "../result/tool-result.ts";
import type { Checked, CompiledSchema } from "../schema/compiled-schema.ts";
import { beforeStart } from "../wait/before-start.ts";
import { askApproval } from "./approval.ts";
import { executeTool, type ExecutableTool } from "./execute-tool.ts";
import { RunningCall } from "./running-call.ts";
import type { CallOptions, Validation } from "./tool.ts";

/** What calling a tool takes, its schemas prepared. The functions below are the steps of a call, in their order. */
export interface CallableTool extends ExecutableTool {
  readonly repair: RepairPolicy;
  readonly needsApproval: boolean | ((params: unknown, context: unknown) => boolean);
  readonly parameters: CompiledSchema;
  readonly context: CompiledSchema["validate"] | undefined;
  /** Of the definition; worked out when asked for. */
  readonly fingerprint: () => string;
  /** Made at the first call that is refused. */
  refused: InvalidParams | undefined;
}

type Pending = ToolResult | Promise<ToolResult>;

/** Checks parameters without running anything. Never rejects. */
export async function validateParams(tool: CallableTool, params: unknown): Promise<Validation> {
  const check = await checkParams(tool, params);
  if (check.issues === undefined) return { success: true, params: check.value };
  const refused = await invalidParams(tool);
  const { message, issues } = refused.explain(refused.locate(params, check.issues));
  return { success: false, error: new ValidationError(message, issues) };
}

/**
 * One call from parameters to result. Never throws or rejects. Not async itself: an `await` costs as much as a
 * validation, and most calls need none before the tool's own.
 */
export function callTool(tool: CallableTool, params: unknown, options: CallOptions): Promise<ToolResult> {
  try {
    if (options.signal?.aborted) return Promise.resolve(notStartedResult(tool.name));
    const check = tool.parameters.validate(params);
    return Promise.resolve(
      "then" in check ? afterCheck(tool, params, check, options) : checked(tool, params, check, options),
    );
  } catch (thrown) {
    return Promise.resolve(thrownResult(tool.name, thrown));
  }
}

async function checkParams(tool: CallableTool, params: unknown): Promise<Checked> {
  try {
    return await tool.parameters.validate(params);
  } catch (thrown) {
    return { issues: [{ path: [], message: `the schema's own check failed, ${thrownMessage(thrown)}` }] };
  }
}

async function afterCheck(
  tool: CallableTool,
  params: unknown,
  pending: PromiseLike<Checked>,
  options: CallOptions,
): Promise<ToolResult> {
  try {
    const check = await beforeStart(pending, tool, options.signal);
    if (options.signal?.aborted) return notStartedResult(tool.name);
    return await (isToolResult(check) ? check : checked(tool, params, check, options));
  } catch (thrown) {
    return thrownResult(tool.name, thrown);
  }
}

function checked(tool: CallableTool, params: unknown, check: Checked, options: CallOptions): Pending {
  if (check.issues === undefined) return validated(tool, params, check.value, options);
  const { issues } = check;
  const refused = invalidParams(tool);
  if (!(refused instanceof Promise)) return unfit(tool, refused, params, issues, options);
  return refused
    .then((loaded) => unfit(tool, loaded, params, issues, options))
    .catch((thrown: unknown) => thrownResult(tool.name, thrown));
}

function invalidParams(tool: CallableTool): InvalidParams | Promise<InvalidParams> {
  return (
    tool.refused ??
    withInvalidParams((module) => (tool.refused ??= new module.InvalidParams(tool.name, tool.parameters)))
  );
}

function unfit(
  tool: CallableTool,
  refused: InvalidParams,
  params: unknown,
  issues: readonly Issue[],
  options: CallOptions,
): Pending {
  const refusal = refused.locate(params, issues);
  return tool.repair === "safe" && refused.isRepairable(refusal)
    ? repaired(tool, refused, params, refusal, options)
    : refuse(refused, refusal);
}

async function repaired(
  tool: CallableTool,
  refused: InvalidParams,
  params: unknown,
  refusal: Diagnosis,
  options: CallOptions,
): Promise<ToolResult> {
  try {
    const mended = await beforeStart(refused.repair(params, refusal), tool, options.signal);
    if (options.signal?.aborted) return notStartedResult(tool.name);
    if (mended === undefined) return refuse(refused, refusal);
    if (isToolResult(mended)) return mended;
    return withRepairs(await validated(tool, params, mended.value, options), mended.repairs);
  } catch (thrown) {
    return thrownResult(tool.name, thrown);
  }
}

function refuse(refused: InvalidParams, refusal: Diagnosis): ToolFailure {
  const { message, issues } = refused.explain(refusal);
  return failure(message, { code: "invalid_params", issues });
}

/** `sent` is what a person's approval is bound to: what the tool will be given may hold values JSON cannot. */
function validated(tool: CallableTool, sent: unknown, params: unknown, options: CallOptions): Pending {
  const run = new RunningCall(tool, options);
  // Where a context is required it is checked before anything is decided by it.
  const asks = tool.context === undefined ? needsApproval(tool, params, run.context) : undefined;
  return asks === false ? executeTool(tool, params, run, options) : guard(tool, { sent, params, asks }, run, options);
}

async function guard(
  tool: CallableTool,
  { sent, params, asks }: { readonly sent: unknown; readonly params: unknown; readonly asks: boolean | undefined },
  run: RunningCall,
  options: CallOptions,
): Promise<ToolResult> {
  const { name, annotations } = tool;
  try {
    const unmet = tool.context && (await missingContext(tool, options, tool.context));
    if (unmet !== undefined) return unmet;
    if (asks ?? needsApproval(tool, params, run.context)) {
      const call = { callId: run.callId, name, fingerprint: tool.fingerprint(), annotations, sent, params };
      const refusal = await askApproval(call, options);
      if (refusal !== undefined) return refusal;
    }
    if (options.signal?.aborted) return notStartedResult(name);
    return await executeTool(tool, params, run, options);
  } catch (thrown) {
    return thrownResult(name, thrown);
  }
}

async function missingContext(
  tool: CallableTool,
  { context, signal }: CallOptions,
  validate: CompiledSchema["validate"],
): Promise<ToolFailure | undefined> {
  const answer = validate(context ?? {});
  const check = "then" in answer ? await beforeStart(answer, tool, signal) : answer;
  if (isToolResult(check)) return check;
  if (check.issues === undefined) return undefined;
  const keys = check.issues.map(({ path }) => formatPath(path)).join(", ");
  return failure(
    describeIssues(
      `Cannot call ${tool.name}: the host gave no usable context for ${keys}`,
      check.issues,
      "This is a fault of the host, not of the call",
    ),
    { code: "missing_context", issues: check.issues },
  );
}

function needsApproval({ needsApproval: needed }: CallableTool, params: unknown, context: unknown): boolean {
  // Not `=== true`: a promise, or anything else that is no plain no, must not let a call pass.
  return typeof needed === "function" ? needed(params, context) !== false : needed;
}
