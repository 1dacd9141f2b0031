import { type JsonValue } from "@dispatch/tools-interface";
import {
  checkOptions,
  type DurableRun,
  isJsonObject,
  jsonSnapshot,
  nextTurn,
  thrownMessage,
  type WaitAnswer,
} from "@dispatch/tools-interface/internal";
import { toIndexed } from "./column-text.ts";
import type { SessionParts } from "./session-parts.ts";

const WAIT_OPTIONS = { kind: true, expiresInMs: true, patienceMs: true, signal: true };

/** The call that makes steps and asks questions. */
interface AskingCall {
  readonly callId: string;
  readonly effectId: string;
  readonly name: string;
}

/**
 * The steps and questions of one call. Their keys are those of the call with the name that it gives them. Each lets the event
 * loop turn now and then: an engine may answer at once, and a tool may ask until there is an answer.
 */
export function createDurableRun(
  { engine, session }: SessionParts,
  { callId, effectId, name: tool }: AskingCall,
): DurableRun {
  return {
    async step<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
      await nextTurn();
      for (let attempt = 1; ; attempt += 1) {
        let failed: { readonly thrown: unknown } | undefined;
        const recorded = await engine.run(`${effectId}/${toIndexed(name)}#${attempt}`, {
          intent: { kind: "step", session, parent: effectId, name },
          notBegun: { failed: "the server did not answer" },
          work: async () => {
            try {
              return { result: { value: jsonSnapshot(await work()) ?? null } };
            } catch (thrown) {
              failed = { thrown };
              return { result: { failed: thrownMessage(thrown) } };
            }
          },
        });
        if (failed !== undefined) throw (failed as { thrown: unknown }).thrown;
        if (isJsonObject(recorded) && "value" in recorded) return recorded["value"] as Result;
      }
    },
    async wait(name, question, options = {}): Promise<WaitAnswer | undefined> {
      await nextTurn();
      checkOptions("wait for an answer", options, WAIT_OPTIONS);
      const { kind = "question", expiresInMs, patienceMs, signal } = options;
      const shown: JsonValue = { session, callId, effectId, tool, name, asked: jsonSnapshot(question) ?? null };
      const expiresAt = expiresInMs === undefined ? undefined : Date.now() + expiresInMs;
      return engine.wait(`${effectId}?${toIndexed(name)}`, { kind, question: shown, expiresAt, patienceMs, signal });
    },
  };
}
