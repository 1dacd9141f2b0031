import { parseParams, type SentCall } from "../call/parse-call.ts";
import type { AnyTool } from "../call/tool.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { Semaphore } from "../wait/semaphore.ts";
import { ResourceOrder, type CallAccess } from "./resource-order.ts";

/** Default of `maxConcurrency`: how many calls of one `dispatchAll` run at the same time. */
export const DEFAULT_CONCURRENCY = 8;

/**
 * Runs calls concurrently as far as their tools declare nothing against it. A call waits for every earlier call that
 * touches the same resource, unless both only read, and for a permit of the semaphore. A call of a tool that declares
 * changes and no resource waits for all earlier calls, and all later ones for it.
 */
export function dispatchInOrder(
  find: (name: string) => AnyTool | undefined,
  calls: readonly SentCall[],
  maxConcurrency: number,
  run: (call: SentCall, index: number) => Promise<ToolResult>,
): Promise<readonly ToolResult[]> {
  const semaphore = new Semaphore(maxConcurrency);
  const order = new ResourceOrder();
  // All at once, before the first call runs: a resource is the one that the call named when it arrived.
  const accesses = calls.map((call) => accessOf(call, find));
  return Promise.all(
    calls.map((call, index) => order.after(accesses[index] as CallAccess, () => semaphore.run(() => run(call, index)))),
  );
}

/** A resource that no call writes: a call that reads it waits for nothing but calls that run alone. */
const NOTHING_SHARED: CallAccess = { reads: true, resources: ["\0nothing shared"] };

function accessOf({ name, sent }: SentCall, find: (name: string) => AnyTool | undefined): CallAccess {
  const tool = find(name);
  if (tool === undefined) return { reads: true, resources: [] };
  const { readOnly: reads = false } = tool.annotations;
  if (!reads && tool.declaresChanges === false) return NOTHING_SHARED;
  const parsed = parseParams(sent, tool);
  const asSent = parsed.error === undefined && parsed.repairs === undefined;
  return {
    reads,
    resources: asSent ? tool.resources(parsed.params) : undefined,
  };
}
