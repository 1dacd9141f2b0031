import type { JsonValue } from "@dispatch/tools-interface";
import { isJsonObject } from "@dispatch/tools-interface/internal";
import { toIndexed } from "../column-text.ts";
import type { StepEnd } from "../durable-engine.ts";

/** The value of this process, where it is the one that counts. */
export function keptOf(end: StepEnd, own: StepEnd | undefined): JsonValue {
  const isOwn = own !== undefined && JSON.stringify(own.result) === JSON.stringify(end.result);
  return isOwn ? own.result : end.result;
}

/** The searchable facts: the session, and whether another call makes the step. */
export function attributesOf(intent: JsonValue): Record<string, unknown> {
  const { session = "", kind = "", parent } = isJsonObject(intent) ? intent : {};
  return { session: toIndexed(typeof session === "string" ? session : ""), kind, nested: parent !== undefined };
}
