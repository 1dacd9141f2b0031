import { parseParams, readCall, type ToolCall } from "../call/parse-call.ts";
import type { AnyTool } from "../call/tool.ts";
import type { ToolResult } from "../result/tool-result.ts";

/** Default of `maxConcurrency`: how many calls of one `dispatchAll` run at the same time. */
export const DEFAULT_CONCURRENCY = 8;

/** The resources that a call touches, and how. */
interface CallAccess {
  /** The tool is read-only. */
  readonly reads: boolean;
  /** The resources it touches; `undefined` when it may touch any. */
  readonly resources: readonly string[] | undefined;
}

/**
 * Runs calls concurrently as far as that cannot change their effect. A call waits for every earlier call that touches the
 * same resource, unless both only read, and for a permit of the semaphore.
 */
export function dispatchInOrder(
  tools: ReadonlyMap<string, AnyTool>,
  calls: readonly ToolCall[],
  maxConcurrency: number,
  run: (call: ToolCall, index: number) => Promise<ToolResult>,
): Promise<readonly ToolResult[]> {
  // The comparison is false for NaN too: with no permit at all the calls would wait for ever.
  const semaphore = new Semaphore(maxConcurrency >= 1 ? maxConcurrency : 1);
  const accesses = calls.map((call) => accessOf(call, tools));
  const results: Promise<ToolResult>[] = [];
  for (const [index, call] of calls.entries()) {
    const access = accesses[index] as CallAccess;
    const before = results.filter((_, earlier) => conflict(accesses[earlier] as CallAccess, access));
    results.push(Promise.all(before).then(() => semaphore.run(() => run(call, index))));
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

/** Counting semaphore: runs at most so much work at a time, first come, first served. */
class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
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
