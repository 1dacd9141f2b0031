import {
  describeIgnored,
  type IgnoredField,
  type IgnoredFields,
  ignoredIssues,
  ValidationError,
} from "../error/issue.ts";
import { thrownMessage, ToolError } from "../error/tool-error.ts";
import { isJsonObject } from "../json/json.ts";
import type { Diagnosis } from "../repair/explain-issues.ts";
import type { InvalidParamsHandler, Repaired } from "../repair/invalid-params.ts";
import type { Repair, RepairPolicy } from "../repair/repair.ts";
import {
  failure,
  isToolResult,
  type ToolFailure,
  type ToolResult,
  withLine,
  withRepairs,
} from "../result/tool-result.ts";
import type { Checked } from "../schema/compiled-schema.ts";
import { beforeStart } from "../wait/before-start.ts";
import type { CallableTool, Translate } from "./callable-tool.ts";
import { nextTurn } from "./calls-in-flight.ts";
import type { Validation } from "./tool.ts";

/** A call whose parameters fit its tool. */
export interface FittingCall {
  /** The parameters as they came. An approval is bound to them: `params` may hold values that JSON cannot. */
  readonly sent: unknown;
  /** The schema's output, which the tool receives. */
  readonly params: unknown;
  /** The changes made to the parameters. */
  readonly repairs: readonly Repair[];
  /** The fields that the tool is not given. */
  readonly ignored: readonly IgnoredField[];
}

/** Of a call that fits as it was sent. */
export const NO_CHANGES: readonly never[] = Object.freeze([]);

/**
 * Fits parameters that the schema refuses, or that hold fields which it does not name: translates them from another tool's
 * shape, repairs them, or explains why they are refused. Rejects when the schema's own check throws.
 *
 * @param policy Which repairs are made. Default: those that the tool allows.
 */
export async function fitParams(
  tool: CallableTool,
  given: unknown,
  found: Checked,
  signal: AbortSignal | undefined,
  policy: RepairPolicy = tool.repair,
): Promise<FittingCall | ToolFailure> {
  const wait = <T>(step: T | PromiseLike<T>): Promise<T | ToolFailure> =>
    beforeStart(Promise.resolve(step), tool, signal);
  const meant = tool.translate && translated(tool.name, tool.translate, given);
  if (isToolResult(meant)) return meant;
  const { params: sent, repairs } = meant ?? { params: given, repairs: NO_CHANGES };
  const refused = (failed: ToolFailure): ToolFailure =>
    repairs.length === 0 ? failed : (withRepairs(failed, repairs) as ToolFailure);

  const check = meant === undefined ? found : await wait(tool.parameters.validate(sent));
  if (isToolResult(check)) return check;
  if (meant !== undefined && check.issues === undefined && tool.parameters.namesFields(sent))
    return { sent, params: check.value, repairs, ignored: NO_CHANGES };

  const handler = await invalidParamsOf(tool);
  const fitting = (
    value: unknown,
    { listed, others }: IgnoredFields,
    more: Partial<Repaired> = {},
  ): FittingCall | ToolFailure => {
    const ignored = [...(more.ignored ?? NO_CHANGES), ...listed];
    return others > 0 || (tool.repair === "off" && ignored.length > 0)
      ? refused(invalidParamsResult(handler, handler.diagnose(sent, ignoredIssues({ listed: ignored, others }))))
      : { sent, params: value, repairs: [...repairs, ...(more.repairs ?? NO_CHANGES)], ignored };
  };
  const withRepaired = ({ params, value, ...changes }: Repaired): FittingCall | ToolFailure =>
    fitting(value, handler.ignoredFields(params, value), changes);
  if (check.issues !== undefined) {
    const diagnosis = handler.diagnose(sent, check);
    const isRepairable = handler.isRepairable(sent, diagnosis, policy);
    const repaired = isRepairable ? await wait(handler.repair(sent, diagnosis, policy)) : undefined;
    if (isToolResult(repaired)) return refused(repaired);
    return repaired === undefined ? refused(invalidParamsResult(handler, diagnosis)) : withRepaired(repaired);
  }
  const dropped = handler.ignoredFields(sent, check.value);
  if (dropped.others > 0) return fitting(check.value, dropped);
  const reread = await wait(handler.reread(sent, policy));
  if (isToolResult(reread)) return refused(reread);
  if (reread !== undefined) return withRepaired(reread);
  return fitting(check.value, dropped);
}

function invalidParamsResult(handler: InvalidParamsHandler, diagnosis: Diagnosis): ToolFailure {
  const { message, issues } = handler.explain(diagnosis);
  return failure(message, { code: "invalid_params", issues });
}

/** The result with the changes that fitting its call took: for the host in fields, ignored fields for the model in a line. */
export function withChanges(result: ToolResult, { repairs, ignored }: FittingCall): ToolResult {
  const repaired = repairs.length === 0 ? result : withRepairs(result, repairs);
  if (ignored.length === 0) return repaired;
  return withLine(repaired, describeIgnored(ignored), { ignored: [...repaired.ignored, ...ignored] });
}

/** Loaded by the first call that does not fit: most programs start without one, and each start saves 1.8 ms of CPU time. */
let repairing: typeof import("../repair/invalid-params.ts") | undefined;

async function invalidParamsOf(tool: CallableTool): Promise<InvalidParamsHandler> {
  repairing ??= await import("../repair/invalid-params.ts");
  return (tool.invalidParams ??= new repairing.InvalidParamsHandler(tool.name, tool.parameters));
}

/** Checks parameters without repairing or running anything, for `Tool.validate`. Never rejects. */
export async function validateParams(tool: CallableTool, sent: unknown): Promise<Validation> {
  const turn = nextTurn();
  if (turn !== undefined) await turn;
  try {
    const check = await tool.parameters.validate(sent);
    if (check.issues === undefined && tool.parameters.namesFields(sent))
      return { success: true, params: check.value, ignored: [] };
    const call = await fitParams(tool, sent, check, undefined, "off");
    if (!isToolResult(call)) return { success: true, params: call.params, ignored: call.ignored };
    return { success: false, error: new ValidationError(call.error, call.issues ?? []) };
  } catch (thrown) {
    const handler = await invalidParamsOf(tool);
    const issues = [{ path: [], message: `the schema's own check failed, ${thrownMessage(thrown)}` }];
    const { message, issues: explained } = handler.explain(handler.diagnose(sent, { issues }));
    return { success: false, error: new ValidationError(message, explained) };
  }
}

/** Translates the parameters of a call. A `ToolError` that is thrown refuses the call. Never throws. */
function translated(
  name: string,
  translate: Translate,
  sent: unknown,
): { readonly params: unknown; readonly repairs: readonly Repair[] } | ToolFailure | undefined {
  if (!isJsonObject(sent)) return undefined;
  try {
    const translation = translate(sent);
    if (translation === undefined) return undefined;
    const { params, changes } = translation;
    return { params, repairs: changes.map((message) => ({ path: [], kind: "translated", message })) };
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) return undefined;
    return failure(`Cannot call ${name} with these parameters: ${thrown.message}`, {
      code: "invalid_params",
      effects: "none",
    });
  }
}
