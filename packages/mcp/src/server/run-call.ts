import type { Approver, DispatchOptions, ToolCall, ToolObserver } from "@dispatch/tools-interface";
import { showArguments } from "@dispatch/tools-interface/display";
import { plainJson, unknownTool } from "@dispatch/tools-interface/internal";
import { toMcpResult, type McpResult } from "@dispatch/tools-interface/mcp";
import type { McpCaller, McpClientView } from "./caller.ts";
import type { Catalogue } from "./catalogue.ts";
import { createElicitationApprover, type McpUser } from "./elicitation-approver.ts";
import type { ServerParts } from "./server-parts.ts";
import type { CallerSide } from "./suspended-calls.ts";

/** The parts of one call. */
interface CallParts extends CallerSide {
  readonly parts: ServerParts;
  readonly catalogue: Catalogue;
  readonly view: McpClientView;
  /** Receives the events of the call and of the calls made by it. */
  readonly onEvent: ToolObserver;
}

/** Runs a call and asks the client's user where it needs approval. */
export async function runCall(call: ToolCall, way: CallParts): Promise<McpResult> {
  const { parts, catalogue, view, elicit, meta, signal, onEvent, patienceMs } = way;
  const { dispatch, approve: given } = parts.options;
  const { registry } = catalogue;
  const user = view.canAsk ? createElicitationApprover(elicit) : undefined;
  const caller: McpCaller = { ...view, user, meta };
  const approve = given ?? (user && approveCallsBy(user));
  const context = await parts.contextFor(caller);
  const options: DispatchOptions = {
    signal,
    onEvent,
    ...(approve && { approve }),
    ...(patienceMs !== undefined && { approvalTimeoutMs: patienceMs }),
    context,
  };
  const result = await (dispatch === undefined
    ? registry.dispatch(call, options)
    : dispatch(call, options, caller, registry));
  const listed = catalogue.tools.get(catalogue.wire.names.toWire(call.name));
  const isUnknown = !result.success && result.code === "tool_not_found" && listed === undefined && call.name !== "";
  const { structuredContent: _, ...shown } = toMcpResult(
    isUnknown ? unknownTool(call.name, [...catalogue.tools.keys()]) : result,
  );
  const isStructured = listed?.outputSchema !== undefined;
  const data = isStructured && result.success ? plainJson(result.data) : undefined;
  return { ...shown, ...(data !== undefined && { structuredContent: data }) } as McpResult;
}

/** Asks the client's user about every call that needs approval: calls of the model and calls of programs it wrote. */
function approveCallsBy(user: McpUser): Approver {
  return ({ name, params, parents, signal }) => {
    const caller = parents.at(-1)?.name;
    const from = caller === undefined ? "" : `, from ${caller}`;
    return user.decide({ text: `Let the agent call ${name}${from}?`, detail: showArguments(params), signal });
  };
}
