import { type ToolResult } from "@dispatch/tools-interface";
import { hadNoEffects, readResult } from "@dispatch/tools-interface/internal";
import type { DurableEngine } from "./durable-engine.ts";
import { stoppedWaiting } from "./durable-error.ts";

/** Between looks at a call that another process runs, in milliseconds: doubled from the first to the second. */
const PAUSE_MS = [10, 500] as const;

/** The step of a call that may run: the first one after those that ended without effects, or the one that is final. */
export async function openStep(engine: DurableEngine, effectId: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const step = `${effectId}.${attempt}`;
    const found = await engine.find(step);
    if (found?.state !== "done" || !hadNoEffects(readResult(found.result))) return step;
  }
}

/** The result of a submitted call, whichever process makes it. Rejects when the signal aborts. */
export async function awaitOutcome(
  engine: DurableEngine,
  effectId: string,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  const [first, longest] = PAUSE_MS;
  let ended: ToolResult | undefined;
  let attempt = 1;
  for (let pause: number = first; ; pause = Math.min(pause * 2, longest)) {
    if (signal?.aborted) throw stoppedWaiting();
    const found = await engine.find(`${effectId}.${attempt}`);
    if (found === undefined && ended !== undefined) return ended;
    if (found?.state === "done") {
      ended = readResult(found.result);
      if (!hadNoEffects(ended)) return ended;
      attempt += 1;
      continue;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
