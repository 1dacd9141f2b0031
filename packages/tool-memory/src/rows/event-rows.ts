import { randomUUID } from "node:crypto";
import { toKey } from "../block/label.ts";
import type { BlockState } from "../block/memory-block.ts";
import type { MemoryEvent } from "../block/memory-event.ts";
import type { Dialect, Query, ChangeStatement } from "../database/database.ts";
import { MemoryError } from "../text/memory-error.ts";
import { hashBody, hashLink } from "./event-hash.ts";
import type { LockedOwner } from "./lock-owner.ts";

/** An event as a row: the columns of the table `event`, by the names of {@link MemoryEvent}. */
interface EventRow extends Omit<MemoryEvent, "actor" | "was" | "is"> {
  readonly was: string | null;
  readonly is: string | null;
  readonly actorKind: MemoryEvent["actor"]["kind"];
  readonly actorId: string;
}

const columns = ({
  iso,
}: Dialect): string => `CAST(event.seq AS double precision) AS seq, block_id AS "blockId", label, kind, version, was, "is", "offset", before, after,
  actor_kind AS "actorKind", actor_id AS "actorId", session, reason, mutation_id AS "mutationId", CAST(undoes AS double precision) AS undoes,
  ${iso("at")} AS at, salt, body_hash AS "bodyHash", previous_hash AS "previousHash", hash`;

/** One event. */
export async function selectEvent(tx: Query, owner: string, seq: number): Promise<MemoryEvent | null> {
  const rows = await tx.query<EventRow>(
    `SELECT ${columns(tx.dialect)} FROM dispatch_memory.event WHERE owner = $1 AND event.seq = $2`,
    [owner, seq],
  );
  return rows[0] === undefined ? null : toChecked(toEvent(rows[0]));
}

/** Events of one block after a `seq`, oldest first. */
export async function selectBlockEvents(
  tx: Query,
  owner: string,
  blockId: string,
  after: number,
): Promise<readonly MemoryEvent[]> {
  const rows = await tx.query<EventRow>(
    `SELECT ${columns(tx.dialect)} FROM dispatch_memory.event WHERE owner = $1 AND block_id = $2 AND event.seq > $3
     ORDER BY event.seq`,
    [owner, blockId, after],
  );
  return rows.map(toEvent).map(toChecked);
}

/** Selects events by label, actor, session and time. */
interface EventFilter {
  /** The key of their label. */
  readonly key?: string | undefined;
  /** The actor's name. */
  readonly actor?: string | undefined;
  /** The session. */
  readonly session?: string | undefined;
  /** Only events of this time or later: ISO 8601. */
  readonly since?: string | undefined;
  /** Only before this `seq`. */
  readonly before?: number | undefined;
  /** Maximum number of events. */
  readonly limit: number;
}

/** Events, latest first. */
export async function selectHistory(
  sql: Query,
  owner: string,
  { key, actor, session, since, before, limit }: EventFilter,
): Promise<readonly MemoryEvent[]> {
  const params: (string | number)[] = [owner, limit];
  const condition = (start: string, value: string | number | undefined): string =>
    value === undefined ? "" : ` AND ${start} $${params.push(value)}`;
  const conditions = [
    key === undefined ? "" : ` AND ${hasKey(`$${params.push(key)}`)}`,
    condition("event.seq <", before),
    condition("actor_id =", actor),
    condition("session =", session),
    condition("event.at >=", since === undefined ? since : new Date(since).toISOString()),
  ].join("");
  const rows = await sql.query<EventRow>(
    `SELECT ${columns(sql.dialect)} FROM dispatch_memory.event WHERE owner = $1${conditions} ORDER BY event.seq DESC LIMIT $2`,
    params,
  );
  return rows.map(toEvent).map(toChecked);
}

/** Up to `limit` events after a `seq`, oldest first. */
export async function selectEventsAfter(
  sql: Query,
  owner: string,
  after: number,
  limit: number,
): Promise<readonly MemoryEvent[]> {
  return (await selectUncheckedAfter(sql, owner, after, limit)).map(toChecked);
}

/** As {@link selectEventsAfter}, without a check of what the events hold. */
export async function selectUncheckedAfter(
  sql: Query,
  owner: string,
  after: number,
  limit: number,
): Promise<readonly MemoryEvent[]> {
  const rows = await sql.query<EventRow>(
    `SELECT ${columns(sql.dialect)} FROM dispatch_memory.event WHERE owner = $1 AND event.seq > $2
     ORDER BY event.seq LIMIT $3`,
    [owner, after, limit],
  );
  return rows.map(toEvent);
}

/** Every event of an owner, oldest first. */
export function selectEvents(sql: Query, owner: string): Promise<readonly MemoryEvent[]> {
  return selectEventsAfter(sql, owner, 0, 2 ** 31 - 1);
}

/**
 * Erases every event of a block except its position, time and hashes.
 *
 * @returns the number of events erased.
 */
export async function scrubEvents(tx: Query, owner: string, blockId: string): Promise<number> {
  const rows = await tx.query(
    `UPDATE dispatch_memory.event SET block_id = '', label = '', key = '', kind = 'forgotten', version = 0, was = NULL, "is" = NULL,
       "offset" = 0, before = '', after = '', actor_id = '', session = NULL, reason = NULL, mutation_id = NULL, undoes = NULL,
       salt = ''
     WHERE owner = $1 AND block_id = $2 RETURNING 1 AS one`,
    [owner, blockId],
  );
  return rows.length;
}

function toEvent({ actorKind, actorId, was, is, ...row }: EventRow): MemoryEvent {
  return { ...row, was: toBlockState(was), is: toBlockState(is), actor: { kind: actorKind, id: actorId } };
}

/** An event as it was written. Throws `memory_damaged`. */
function toChecked(event: MemoryEvent): MemoryEvent {
  const { kind, bodyHash, previousHash, hash } = event;
  const isLinked = hash === hashLink(previousHash, bodyHash);
  if (isLinked && (kind === "forgotten" || bodyHash === hashBody(event))) return event;
  throw new MemoryError(
    `Cannot read the history: event ${event.seq} does not say what was hashed; restore a backup, or import an export into a new directory`,
    "memory_damaged",
  );
}

/** The state of a block as an event's row holds it. Throws `memory_damaged`. */
export function toBlockState(text: string | null): BlockState | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as BlockState;
  } catch (cause) {
    throw new MemoryError(
      "Cannot read the history: the state of a block in it is damaged; restore a backup, or import an export into a new directory",
      "memory_damaged",
      cause,
    );
  }
}

/** Number of characters that the agent's events of one block replaced and wrote between two times. */
export async function countWritten(
  tx: Query,
  owner: string,
  blockId: string,
  since: string,
  until: string,
): Promise<number> {
  const [row] = await tx.query<{ chars: number }>(
    `SELECT CAST(coalesce(sum(length(before) + length(after)), 0) AS double precision) AS chars FROM dispatch_memory.event
     WHERE owner = $1 AND block_id = $2 AND actor_kind = 'agent' AND event.at >= $3 AND event.at <= $4`,
    [owner, blockId, since, until],
  );
  return row?.chars ?? 0;
}

/** The condition that an event of the owner `$1` is about a label. As a subquery it reads only an index, also where that begins with something else. */
function hasKey(placeholder: string): string {
  return `event.seq IN (SELECT labelled.seq FROM dispatch_memory.event AS labelled
    WHERE labelled.owner = $1 AND labelled.key = ${placeholder})`;
}

/** Whether a person has changed the block of a label after an event, or after a time. */
export async function isChangedByPerson(
  tx: Query,
  owner: string,
  key: string,
  after: number | string,
): Promise<boolean> {
  const column = typeof after === "number" ? "event.seq" : "event.at";
  const rows = await tx.query(
    `SELECT 1 AS one FROM dispatch_memory.event
     WHERE owner = $1 AND ${hasKey("$2")} AND actor_kind = 'person' AND ${column} > $3 LIMIT 1`,
    [owner, key, after],
  );
  return rows.length > 0;
}

/** An event before its position, time and hashes are known. */
type NewEvent = Omit<MemoryEvent, "seq" | "at" | "salt" | "bodyHash" | "previousHash" | "hash">;

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
