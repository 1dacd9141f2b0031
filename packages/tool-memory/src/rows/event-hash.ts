import { createHash } from "node:crypto";
import type { BlockState } from "../block/memory-block.ts";
import type { MemoryEvent } from "../block/memory-event.ts";

/** SHA-256 of a text, in hex. */
export function hashText(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** SHA-256 of all fields of an event, in a fixed order. */
export function hashBody(event: Omit<MemoryEvent, "bodyHash" | "previousHash" | "hash">): string {
  return hashText(
    JSON.stringify([
      event.salt,
      event.seq,
      event.blockId,
      event.label,
      event.kind,
      event.version,
      canonical(event.was),
      canonical(event.is),
      event.offset,
      event.before,
      event.after,
      event.actor.kind,
      event.actor.id,
      event.session,
      event.reason,
      event.mutationId,
      event.undoes,
      event.at,
    ]),
  );
}

/** SHA-256 of an event's body hash and the hash of the event before it: a hash chain. */
export function hashLink(previousHash: string, bodyHash: string): string {
  return hashText(`${previousHash}\n${bodyHash}`);
}

function canonical(state: BlockState | null): unknown {
  return state && Object.entries(state).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
