import { createHash, randomUUID } from "node:crypto";
import { toKey } from "../block/label.ts";
import type { BlockState } from "../block/memory-block.ts";
import type { MemoryEvent } from "../block/memory-event.ts";
import type { Dialect, Query, ChangeStatement } from "../database/database.ts";
import { MemoryError } from "../text/memory-error.ts";
import { insertRow, toColumn } from "./columns.ts";
import { updateCounts, type LockedOwner } from "./lock-owner.ts";

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

/** An event as a row: the columns of the table `event`, by the names of {@link MemoryEvent}. */
interface EventRow extends Omit<MemoryEvent, "actor" | "was" | "is"> {
  readonly was: string | null;
  readonly is: string | null;
  readonly actorKind: MemoryEvent["actor"]["kind"];
  readonly actorId: string;
}

const FIELDS =
  "seq blockId label kind version was is offset before after actorKind actorId session reason mutationId undoes at salt bodyHash previousHash hash".split(
    " ",
  );

const columns = ({ iso }: Dialect): string =>
  FIELDS.map((field) => {
    const column = `event.${toColumn(field)}`;
    const isBig = field === "seq" || field === "undoes";
    return `${isBig ? `CAST(${column} AS double precision)` : field === "at" ? iso(column) : column} AS "${field}"`;
  }).join(", ");

/**
 * The events of an owner (`$1`) for which a condition holds, with a check of what they hold.
 *
 * @param rest the condition, and what follows it.
 */
async function select(
  sql: Query,
  rest: string,
  params: readonly (string | number)[],
  check = toChecked,
): Promise<readonly MemoryEvent[]> {
  const rows = await sql.query<EventRow>(
    `SELECT ${columns(sql.dialect)} FROM dispatch_memory.event WHERE owner = $1${rest}`,
    params,
  );
  return rows.map(toEvent).map((event) => check(event));
}

/** One event. */
export async function selectEvent(tx: Query, owner: string, seq: number): Promise<MemoryEvent | null> {
  return (await select(tx, " AND event.seq = $2", [owner, seq]))[0] ?? null;
}

/** Events of one block after a `seq`, oldest first. */
export function selectBlockEvents(
  tx: Query,
  owner: string,
  blockId: string,
  after: number,
): Promise<readonly MemoryEvent[]> {
  return select(tx, " AND block_id = $2 AND event.seq > $3 ORDER BY event.seq", [owner, blockId, after]);
}

/** Selects events by label, actor, session and time. */
interface EventFilter {
  readonly key?: string | undefined;
  readonly actor?: string | undefined;
  readonly session?: string | undefined;
  /** Only events of this time or later: ISO 8601. */
  readonly since?: string | undefined;
  /** Only before this `seq`. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Events, latest first. */
export function selectHistory(
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
  return select(sql, `${conditions} ORDER BY event.seq DESC LIMIT $2`, params);
}

/** Up to `limit` events after a `seq`, oldest first. */
export function selectEventsAfter(
  sql: Query,
  owner: string,
  after: number,
  limit: number,
  check = toChecked,
): Promise<readonly MemoryEvent[]> {
  return select(sql, " AND event.seq > $2 ORDER BY event.seq LIMIT $3", [owner, after, limit], check);
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

function toRow(owner: string, { actor, was, is, ...event }: MemoryEvent) {
  return {
    owner,
    key: toKey(event.label),
    ...event,
    was: was && JSON.stringify(was),
    is: is && JSON.stringify(is),
    actorKind: actor.kind,
    actorId: actor.id,
  };
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
  updateCounts(statement, locked);
  insertRow(statement, "event", toRow(owner, event));
  return event;
}

/** Adds to a statement: the insertion of an exported event, unchanged. */
export function restoreEvent(statement: ChangeStatement, owner: string, event: MemoryEvent): void {
  insertRow(statement, "event", toRow(owner, event));
}
