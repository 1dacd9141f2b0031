import { failure, success, type ToolResult } from "@dispatch/tools-interface";
import { isJsonObject, jsonOrReason } from "@dispatch/tools-interface/internal";
import type { DurableEngine } from "./durable-engine.ts";

/** The call of which nothing is known. */
interface UnknownCall {
  readonly session: string;
  readonly callId: string;
  readonly effectId: string;
  readonly name: string;
  readonly sent: unknown;
}

/**
 * Makes an outcome that nobody knows a question to a person, which is listed with the others, and reads the answer if there
 * is one: `{ happened: true, output? }` or `{ happened: false }`.
 */
export async function askOutcome(
  engine: DurableEngine,
  step: string,
  { sent, ...call }: UnknownCall,
): Promise<ToolResult | undefined> {
  const question = { ...call, arguments: jsonOrReason(sent) ?? null };
  const answered = await engine.wait(`unknown:${step}`, { kind: "unknown", question, patienceMs: 0 });
  const answer = answered?.answer;
  if (!isJsonObject(answer) || typeof answer["happened"] !== "boolean") return undefined;
  const { name } = call;
  if (!answer["happened"]) {
    const text = `${name} had begun when its process ended. A person found that it was not done: you may call it again`;
    return failure(text, { code: "interrupted", effects: "none" });
  }
  const output = answer["output"];
  return success(typeof output === "string" ? output : `${name} was done, as a person found. Its answer is lost`);
}
