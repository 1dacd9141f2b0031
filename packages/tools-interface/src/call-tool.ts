import { askApproval } from "./approval.ts";
import type { Checked, CompiledSchema } from "./compiled-schema.ts";
import type { Refusal } from "./explain-issues.ts";
import { describeIssues, formatPath, ValidationError, type Issue } from "./issue.ts";
import { onRefusal } from "./on-refusal.ts";
import type { RefusedParams } from "./refused-params.ts";
import type { RepairPolicy } from "./repair.ts";
import { Run, Settlement } from "./run-tool.ts";
import { thrownMessage } from "./tool-error.ts";
import { notStartedResult, thrownResult, toResult } from "./tool-output.ts";
import { failure, withRepairs, type ToolFailure, type ToolResult } from "./tool-result.ts";
import type { CallOptions, ToolAnnotations, Validation } from "./tool.ts";

/** What calling a tool takes, its schemas prepared. The functions below are the steps of a call, in their order. */
export interface CallableTool {
  readonly name: string;
  readonly annotations: ToolAnnotations;
  readonly timeoutMs: number;
  readonly repair: RepairPolicy;
  readonly needsApproval: boolean | ((params: unknown) => boolean);
  readonly execute: (params: unknown, run: Run) => unknown;
  readonly parameters: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  readonly context: CompiledSchema["validate"] | undefined;
  /** Made at the first call that is refused. */
  refused: RefusedParams | undefined;
}

type Pending = ToolResult | Promise<ToolResult>;

/** Checks parameters without running anything. Never rejects. */
export async function validateParams(tool: CallableTool, params: unknown): Promise<Validation> {
  const check = await checkParams(tool, params);
  if (check.issues === undefined) return { success: true, params: check.value };
  const refused = await refusedParams(tool);
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
    return await checked(tool, params, await pending, options);
  } catch (thrown) {
    return thrownResult(tool.name, thrown);
  }
}

function checked(tool: CallableTool, params: unknown, check: Checked, options: CallOptions): Pending {
  if (check.issues === undefined) return validated(tool, check.value, options);
  const { issues } = check;
  const refused = refusedParams(tool);
  if (!(refused instanceof Promise)) return unfit(tool, refused, params, issues, options);
  return refused
    .then((loaded) => unfit(tool, loaded, params, issues, options))
    .catch((thrown: unknown) => thrownResult(tool.name, thrown));
}

function refusedParams(tool: CallableTool): RefusedParams | Promise<RefusedParams> {
  return tool.refused ?? onRefusal((module) => (tool.refused ??= new module.RefusedParams(tool.name, tool.parameters)));
}

function unfit(
  tool: CallableTool,
  refused: RefusedParams,
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
  refused: RefusedParams,
  params: unknown,
  refusal: Refusal,
  options: CallOptions,
): Promise<ToolResult> {
  try {
    const mended = await refused.repair(params, refusal);
    if (options.signal?.aborted) return notStartedResult(tool.name);
    if (mended === undefined) return refuse(refused, refusal);
    return withRepairs(await validated(tool, mended.value, options), mended.repairs);
  } catch (thrown) {
    return thrownResult(tool.name, thrown);
  }
}

function refuse(refused: RefusedParams, refusal: Refusal): ToolFailure {
  const { message, issues } = refused.explain(refusal);
  return failure(message, { code: "invalid_params", issues });
}

function validated(tool: CallableTool, params: unknown, options: CallOptions): Pending {
  const run = new Run(options);
  const guarded = tool.context !== undefined || needsApproval(tool, params);
  return guarded ? guard(tool, params, run, options) : execute(tool, params, run, options);
}

async function guard(tool: CallableTool, params: unknown, run: Run, options: CallOptions): Promise<ToolResult> {
  try {
    const unmet = tool.context && (await missingContext(tool, options.context, tool.context));
    if (unmet !== undefined) return unmet;
    const refusal = needsApproval(tool, params) ? await approval(tool, params, run, options) : undefined;
    if (refusal !== undefined) return refusal;
    if (options.signal?.aborted) return notStartedResult(tool.name);
    return await execute(tool, params, run, options);
  } catch (thrown) {
    return thrownResult(tool.name, thrown);
  }
}

async function missingContext(
  { name }: CallableTool,
  context: unknown,
  validate: CompiledSchema["validate"],
): Promise<ToolFailure | undefined> {
  const check = await validate(context ?? {});
  if (check.issues === undefined) return undefined;
  const keys = check.issues.map(({ path }) => formatPath(path)).join(", ");
  return failure(
    describeIssues(
      `Cannot call ${name}: the host gave no usable context for ${keys}`,
      check.issues,
      "This is a fault of the host, not of the call",
    ),
    { code: "missing_context", issues: check.issues },
  );
}

function needsApproval({ needsApproval: needed }: CallableTool, params: unknown): boolean {
  return typeof needed === "function" ? needed(params) : needed;
}

function approval(
  tool: CallableTool,
  params: unknown,
  { callId }: Run,
  options: CallOptions,
): Promise<ToolFailure | undefined> {
  const { name, annotations } = tool;
  const signal = options.signal ?? new AbortController().signal;
  return askApproval({ callId, name, params, annotations, signal }, options.approve, () => notStartedResult(name));
}

function execute(tool: CallableTool, params: unknown, run: Run, options: CallOptions): Pending {
  try {
    const answered = tool.execute(params, run);
    if (isThenable(answered)) return settle(tool, answered, run, options);
    run.release();
    return toResult(tool.name, answered, tool.output);
  } catch (thrown) {
    run.release();
    return thrownResult(tool.name, thrown);
  }
}

function settle(
  tool: CallableTool,
  answered: PromiseLike<unknown>,
  run: Run,
  options: CallOptions,
): Promise<ToolResult> {
  const { name, timeoutMs, output } = tool;
  const settlement = new Settlement(name, run, timeoutMs, options);
  answered.then(
    (value) => {
      const result = toResult(name, value, output);
      if ("then" in result) void result.then((inTime) => settlement.settled(inTime));
      else settlement.settled(result);
    },
    (thrown: unknown) => settlement.settled(thrownResult(name, thrown)),
  );
  return settlement.result;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
