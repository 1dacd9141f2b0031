import { parseParams, readCall, type ToolCall } from "../call/parse-call.ts";
import type { AnyTool } from "../call/tool.ts";
import type { ToolResult } from "../result/tool-result.ts";

/** How many calls run at the same time unless the caller says otherwise. */
export const DEFAULT_CONCURRENCY = 8;

/** What a call does to what. */
interface CallAccess {
  /** It changes nothing. */
  readonly reads: boolean;
  /** What it touches; `undefined` when that may be anything. */
  readonly resources: readonly string[] | undefined;
}

/**
 * Runs calls so that nothing a model could not foresee happens: a call waits for every earlier one that touches the same,
 * unless both only read, and for nothing else but a place among those that may run at a time.
 */
export function dispatchInOrder(
  tools: ReadonlyMap<string, AnyTool>,
  calls: readonly ToolCall[],
  maxConcurrency: number,
  run: (call: ToolCall, index: number) => Promise<ToolResult>,
): Promise<readonly ToolResult[]> {
  // Also for NaN: waiting for a place among none would never end.
  const places = new Semaphore(maxConcurrency >= 1 ? maxConcurrency : 1);
  const reaches = calls.map((call) => accessOf(call, tools));
  const results: Promise<ToolResult>[] = [];
  for (const [index, call] of calls.entries()) {
    const reach = reaches[index] as CallAccess;
    const before = results.filter((_, earlier) => conflict(reaches[earlier] as CallAccess, reach));
    results.push(Promise.all(before).then(() => places.during(() => run(call, index))));
  }
  return Promise.all(results);
}

function accessOf(call: ToolCall, tools: ReadonlyMap<string, AnyTool>): CallAccess {
  const { name, sent } = readCall(call);
  const tool = tools.get(name);
  if (tool === undefined) return { reads: true, resources: [] };
  const parsed = parseParams(sent, tool);
  const asSent = parsed.error === undefined && parsed.repairs === undefined;
  return {
    reads: tool.annotations.readOnly === true,
    resources: asSent ? tool.resources(parsed.params) : undefined,
  };
}

function conflict(a: CallAccess, b: CallAccess): boolean {
  if (a.reads && b.reads) return false;
  if (a.resources === undefined || b.resources === undefined) return !touchesNothing(a) && !touchesNothing(b);
  return a.resources.some((resource) => b.resources?.includes(resource));
}

function touchesNothing({ resources }: CallAccess): boolean {
  return resources?.length === 0;
}

/** Semaphore for so many at a time, given in the order in which they are asked for. */
class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free >= 1) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
