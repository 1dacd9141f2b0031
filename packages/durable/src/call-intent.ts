import type { JsonValue } from "@dispatch/tools-interface";
import { isJsonObject, jsonOrReason, type SentCall } from "@dispatch/tools-interface/internal";

/** The record of a call before it begins: everything that another process needs to dispatch it again. */
export interface CallIntent {
  /** Distinguishes a call from other steps of an engine. */
  readonly kind: "call";
  /** The session in which it was made. */
  readonly session: string;
  /** Identifies the call in its session. */
  readonly callId: string;
  /** The same for every attempt, process and engine: an idempotency key for the destination. */
  readonly effectId: string;
  /** The model's turn, if the call named it. */
  readonly turn?: string;
  /** Name of the tool. */
  readonly name: string;
  /** As they were sent. */
  readonly arguments: unknown;
  /** Present if a program made the call. */
  readonly caller?: "program";
  /** The step of the call whose tool makes this one. */
  readonly parent?: string;
  /** The calls around it, outermost first. */
  readonly parents: readonly { readonly callId: string; readonly name: string }[];
  /** Fingerprint of the tool that the call is of; absent when nobody has looked it up. */
  readonly fingerprint?: string;
}

/** The parts of a call's record that are not in the call. */
type Known = Pick<CallIntent, "session" | "callId" | "effectId" | "parents"> & {
  readonly parent?: string | undefined;
  readonly fingerprint?: string | undefined;
};

/** The intent of a call as plain data. */
export function toIntent({ turn, name, sent, caller }: SentCall, { parent, fingerprint, ...known }: Known): JsonValue {
  return {
    kind: "call",
    ...known,
    ...(turn !== undefined && { turn }),
    name,
    arguments: jsonOrReason(sent) ?? null,
    ...(caller !== undefined && { caller }),
    ...(parent !== undefined && { parent }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}

/** Reads an intent; `undefined` for another kind of step, and for one that is damaged. */
export function readIntent(value: JsonValue): CallIntent | undefined {
  if (!isJsonObject(value) || value["kind"] !== "call" || !Array.isArray(value["parents"])) return undefined;
  const isSound = ["session", "callId", "effectId", "name"].every((field) => typeof value[field] === "string");
  return isSound ? (value as unknown as CallIntent) : undefined;
}
