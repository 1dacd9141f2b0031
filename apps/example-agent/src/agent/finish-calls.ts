import type { LoopOptions } from "./agent-loop.ts";

/**
 * Dispatches the last calls of a session again whose process died in them, or that wait for a person: each is answered from its
 * record, or goes on. Does nothing where calls end with their process, because those are closed when the session is opened.
 */
export async function finishCalls(options: Omit<LoopOptions, "model" | "window" | "maxTurns">): Promise<void> {
  const { registry, session, context, signal, approve, durable, onEvent } = options;
  const last = session.messages.at(-1);
  if (durable === undefined || last?.role !== "assistant" || last.calls.length === 0) return;
  const { transcript } = session;
  const results = await registry.dispatchAll(last.calls, { context, signal, approve, durable, onEvent, transcript });
  session.add({ role: "tool", results });
}
