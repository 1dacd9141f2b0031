import { failure, type ToolFailure } from "@dispatch/tools-interface";
import {
  argumentsText,
  canonicalText,
  isNumberedId,
  jsonOrReason,
  type SentCall,
  sha256,
} from "@dispatch/tools-interface/internal";

/** The facts that identify a call, in any process. */
export interface CallIdentity {
  /** Its id, made from its identity when it came without one. */
  readonly callId: string;
  /** Names its effect. */
  readonly effectId: string;
}

/**
 * The identity of a call that a model made: session, turn, id, name and arguments. Without a turn, the id has to tell the
 * call: one such as `call_0` comes again with the next message, and answering that from the record would drop a call.
 */
export function identityOf(session: string, call: SentCall): CallIdentity | ToolFailure {
  const { id, turn, name, sent } = call;
  if (id === undefined || (turn === undefined && isNumberedId(id, name))) {
    const found =
      id === undefined ? "it has no id" : `its id ${JSON.stringify(id.slice(0, 40))} may be that of another message`;
    return failure(
      `${name || "The call"} was not started: ${found}, so it could not be known again after a restart. A durable call needs an id, and with a numbered one the id of its message as turn. This is a fault of the host, not of the call`,
      { code: "invalid_call", effects: "none" },
    );
  }
  return { callId: id, effectId: toEffectId([session, turn ?? null, id, name, textOf(sent)]) };
}

/**
 * The identities of the calls that one call makes. The same calls in the same order get the same ones, independent of
 * other calls.
 */
export class NestedIdentities {
  readonly #parent: string;
  readonly #seen = new Map<string, number>();

  /** @param parent The effect id of the call that makes them. */
  constructor(parent: string) {
    this.#parent = parent;
  }

  /** Calls that are the same in everything are distinguished by their number. */
  next({ id, turn, name, sent }: SentCall): CallIdentity {
    const isOwn = id !== undefined && (turn !== undefined || !isNumberedId(id, name));
    const parts = [this.#parent, turn ?? null, id ?? null, name, textOf(sent)];
    const text = canonicalText(parts);
    const count = isOwn ? 0 : (this.#seen.get(text) ?? 0) + 1;
    this.#seen.set(text, count);
    const effectId = toEffectId([...parts, count]);
    return { callId: id ?? `call_${effectId.slice(4, 28)}`, effectId };
  }
}

function toEffectId(parts: readonly unknown[]): string {
  return `eff_${sha256(canonicalText(parts)).slice(0, 40)}`;
}

function textOf(sent: unknown): string {
  try {
    return argumentsText(sent);
  } catch {
    return canonicalText([jsonOrReason(sent)]);
  }
}
