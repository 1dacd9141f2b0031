import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { createToolRegistry } from "@dispatch/tools-interface";
import type { AssistantTurn, Message } from "../../src/agent/conversation.ts";
import type { Model } from "../../src/agent/model.ts";

/** A conversation that has just begun. */
export const HELLO: readonly Message[] = [{ role: "user", text: "Hello" }];

/** Asks a model. Its notices are ignored by default. */
export function askModel(
  model: Model,
  conversation: readonly Message[] = HELLO,
  registry: AnyToolRegistry = createToolRegistry(),
  onNotice: (text: string) => void = () => {},
): Promise<AssistantTurn> {
  const signal = AbortSignal.timeout(20_000);
  const calls = conversation.flatMap((message) => (message.role === "assistant" ? message.calls : []));
  const takenIds = new Set(calls.map(({ id = "" }) => id));
  const request = { instructions: "Be kind.", conversation, registry, takenIds, signal };
  return model.respond({ ...request, onText() {}, onNotice });
}
