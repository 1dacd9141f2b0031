import type { ToolResult } from "../result/tool-result.ts";
import type { DurableEngine } from "./durable-engine.ts";
import { DurableError } from "./durable-error.ts";
import { fromKept } from "./kept-result.ts";

/** Between looks at a call that another process runs, in milliseconds: doubled from the first to the second. */
const PAUSE_MS = [10, 500] as const;

/** The result of a submitted call, whichever process makes it. Rejects when the signal aborts. */
export async function awaitOutcome(
  engine: DurableEngine,
  effectId: string,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  const [first, longest] = PAUSE_MS;
  for (let pause: number = first; ; pause = Math.min(pause * 2, longest)) {
    if (signal?.aborted) throw new DurableError("Cannot wait for the call: it was cancelled", { code: "cancelled" });
    const found = await engine.find(`${effectId}.1`);
    if (found?.state === "done") return fromKept(found.result ?? null);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
