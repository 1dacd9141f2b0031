import { randomUUID } from "node:crypto";
import { toKey } from "../block/label.ts";
import type { MemoryEvent } from "../block/memory-event.ts";
import type { ChangeStatement } from "../database/database.ts";
import { hashBody, hashLink } from "./event-hash.ts";
import type { LockedOwner } from "./lock-owner.ts";

/** An event before its position, time and hashes are known. */
export type NewEvent = Omit<MemoryEvent, "seq" | "at" | "salt" | "bodyHash" | "previousHash" | "hash">;

const places = `owner, seq, block_id, label, key, kind, version, was, "is", "offset", before, after, actor_kind, actor_id,
  session, reason, mutation_id, undoes, at, salt, body_hash, previous_hash, hash`;

/** The placeholders of an event's values; some by name, all in `list`. */
interface Values {
  readonly whose: string;
  readonly seq: string;
  readonly at: string;
  readonly hash: string;
  readonly list: string;
}

function toValues(statement: ChangeStatement, owner: string, event: MemoryEvent): Values {
  const value: ChangeStatement["value"] = (given) => statement.value(given);
  const whose = value(owner);
  const seq = value(event.seq);
  const at = value(event.at);
  const hash = value(event.hash);
  const list = [
    whose,
    seq,
    value(event.blockId),
    value(event.label),
    value(toKey(event.label)),
    value(event.kind),
    value(event.version),
    value(event.was && JSON.stringify(event.was)),
    value(event.is && JSON.stringify(event.is)),
    value(event.offset),
    value(event.before),
    value(event.after),
    value(event.actor.kind),
    value(event.actor.id),
    value(event.session),
    value(event.reason),
    value(event.mutationId),
    value(event.undoes),
    at,
    value(event.salt),
    value(event.bodyHash),
    value(event.previousHash),
    hash,
  ];
  return { whose, seq, at, hash, list: list.join(", ") };
}

/** Adds to a statement: the insertion of an event at the end of the owner's history, and the update of the owner's counts. */
export function insertEvent(statement: ChangeStatement, locked: LockedOwner, draft: NewEvent): MemoryEvent {
  const { owner, at } = locked;
  const body = { ...draft, seq: locked.seq + 1, at, salt: randomUUID() };
  const bodyHash = hashBody(body);
  const event = { ...body, bodyHash, previousHash: locked.hash, hash: hashLink(locked.hash, bodyHash) };
  locked.seq = event.seq;
  locked.hash = event.hash;
  if (draft.actor.kind === "agent") {
    locked.dayEvents += 1;
    locked.dayChars += draft.before.length + draft.after.length;
  }
  const values = toValues(statement, owner, event);
  const counts = {
    seq: values.seq,
    hash: values.hash,
    blocks: statement.value(locked.blocks),
    characters: statement.value(locked.chars),
    day: statement.value(at.slice(0, "2026-01-01".length)),
    day_events: statement.value(locked.dayEvents),
    day_chars: statement.value(locked.dayChars),
  };
  const changes = Object.entries(counts).map(([column, place]) => `${column} = ${place}`);
  statement.add("counted", `UPDATE dispatch_memory.owner SET ${changes.join(", ")} WHERE owner = ${values.whose}`);
  statement.add("event_added", `INSERT INTO dispatch_memory.event (${places}) VALUES (${values.list})`);
  return event;
}

/** Adds to a statement: the insertion of an exported event, unchanged. */
export function restoreEvent(statement: ChangeStatement, owner: string, event: MemoryEvent): void {
  const { list } = toValues(statement, owner, event);
  statement.add("event_added", `INSERT INTO dispatch_memory.event (${places}) VALUES (${list})`);
}
