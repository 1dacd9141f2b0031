import { toKey } from "../block/label.ts";
import type { MemoryBlock, MemorySummary, Trust, Tier } from "../block/memory-block.ts";
import type { Dialect, Query } from "../database/database.ts";

/** The columns of a block, of the table named `block`, but for the blocks that it supersedes. */
function ownColumns({ iso, intact }: Dialect): string {
  return `block.id, block.label, block.tier, block.permission, block.source, block.trust, ${intact("block", "content")} AS content, block.version,
    block.valid_from AS "validFrom", ${iso("block.created_at")} AS "createdAt", ${iso("block.updated_at")} AS "updatedAt"`;
}

/** The columns of a {@link BlockRow}, of the table named `block`. `$1` of the statement must be the owner. */
export function blockColumns(dialect: Dialect): string {
  return `${ownColumns(dialect)}, (
      SELECT string_agg(supersession.block_id, ' ') FROM dispatch_memory.supersession
      WHERE supersession.owner = $1 AND supersession.by_id = block.id
    ) AS supersedes`;
}

/** A row of {@link blockColumns}. */
export interface BlockRow extends Omit<MemoryBlock, "supersedes" | "validFrom"> {
  readonly validFrom: string | null;
  /** Ids of other blocks in any order, with a space between them; `null` for none. */
  readonly supersedes: string | null;
}

/** The block of a row, which may have other columns. */
export function toBlock({ supersedes, validFrom, ...row }: BlockRow): MemoryBlock {
  const { id, label, tier, permission, source, trust, content, version, createdAt, updatedAt } = row;
  const block = { id, label, tier, permission, source, trust, content, version, createdAt, updatedAt };
  return {
    ...block,
    ...(supersedes !== null && { supersedes: supersedes.split(" ").toSorted() }),
    ...(validFrom !== null && { validFrom }),
  };
}

/** A block as a search reads it, and the `seq` of the event that last changed it, 0 when that is not known. */
export interface FoundBlock extends Omit<MemoryBlock, "supersedes"> {
  readonly seq: number;
}

/** A row of {@link selectFound}. */
export interface FoundRow extends Omit<BlockRow, "supersedes"> {
  readonly seq: number;
}

/** The statement that reads blocks for a search, from the owner and a JSON array of ids. */
export function selectFound(dialect: Dialect): string {
  return `SELECT ${ownColumns(dialect)}, CAST(coalesce((SELECT max(event.seq) FROM dispatch_memory.event
      WHERE event.owner = $1 AND event.block_id = block.id), 0) AS double precision) AS seq
    FROM dispatch_memory.block WHERE block.owner = $1 AND block.id IN ${dialect.list("$2", "text")}`;
}

/** The block of a row of {@link selectFound}. */
export function toFoundBlock({ validFrom, ...block }: FoundRow): FoundBlock {
  return validFrom === null ? block : { ...block, validFrom };
}

/** The blocks for which a condition holds, and what follows it. `$1` must be the owner. */
async function select(
  sql: Query,
  condition: string,
  values: readonly (string | number)[],
): Promise<readonly MemoryBlock[]> {
  const text = `SELECT ${blockColumns(sql.dialect)} FROM dispatch_memory.block WHERE ${condition}`;
  return (await sql.query<BlockRow>(text, values)).map(toBlock);
}

/** By label, in the order of code units, which no two databases agree on. */
function sort(blocks: readonly MemoryBlock[]): readonly MemoryBlock[] {
  const keyed = blocks.map((block) => ({ block, key: toKey(block.label) }));
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ block }) => block);
}

const tierOrder = "CASE tier WHEN 'core' THEN 1 WHEN 'working' THEN 2 ELSE 3 END";

/** The condition that a block of the owner `$1` has a tier, with its values. SQLite has an index of core alone, which is named as it is there. */
function ofTier(
  owner: string,
  tier: Tier | undefined,
): { readonly condition: string; readonly values: readonly string[] } {
  if (tier === undefined) return { condition: "owner = $1", values: [owner] };
  if (tier === "core") return { condition: "owner = $1 AND tier = 'core'", values: [owner] };
  return { condition: "owner = $1 AND tier = $2", values: [owner, tier] };
}

/** The block of this label. A transaction that locked the owner reads what no other one changes before it ends. */
export async function selectBlock(sql: Query, owner: string, key: string): Promise<MemoryBlock | null> {
  return (await select(sql, "owner = $1 AND key = $2", [owner, key]))[0] ?? null;
}

/** The block of this id. */
export async function selectBlockById(sql: Query, owner: string, id: string): Promise<MemoryBlock | null> {
  return (await select(sql, "owner = $1 AND id = $2", [owner, id]))[0] ?? null;
}

/** Every block of an owner, by label. */
export async function selectBlocks(sql: Query, owner: string): Promise<readonly MemoryBlock[]> {
  return sort(await select(sql, "owner = $1", [owner]));
}

/** Every block without its text. */
export async function selectSummaries(
  sql: Query,
  owner: string,
  tier: Tier | undefined,
): Promise<readonly MemorySummary[]> {
  const { condition, values } = ofTier(owner, tier);
  return sql.query<MemorySummary>(
    `SELECT id, label, tier, permission, source, trust, version, length(content) AS characters,
       substr(${sql.dialect.intact("block", "content")}, 1, 80) AS preview,
       ${sql.dialect.iso("updated_at")} AS "updatedAt"
     FROM dispatch_memory.block WHERE ${condition}
     ORDER BY ${tierOrder}, updated_at DESC, key`,
    values,
  );
}

/** Blocks by their ids, in any order. */
export function selectBlocksById(sql: Query, owner: string, ids: readonly string[]): Promise<readonly MemoryBlock[]> {
  return select(sql, `owner = $1 AND id IN ${sql.dialect.list("$2", "text")}`, [owner, JSON.stringify(ids)]);
}

/** The blocks of one tier, by label. */
export async function selectTier(sql: Query, owner: string, tier: Tier): Promise<readonly MemoryBlock[]> {
  const { condition, values } = ofTier(owner, tier);
  return sort(await select(sql, condition, values));
}

/** The last key that begins with `prefix`: the longest, then the greatest; `null` for none. */
export async function selectLastKey(sql: Query, owner: string, prefix: string): Promise<string | null> {
  const [found] = await sql.query<{ key: string }>(
    `SELECT key FROM dispatch_memory.block WHERE owner = $1 AND substr(key, 1, CAST($3 AS integer)) = $2
     ORDER BY length(key) DESC, key DESC LIMIT 1`,
    [owner, prefix, Array.from(prefix).length],
  );
  return found?.key ?? null;
}

/** The blocks that retention may remove. */
interface RemovableFilter {
  readonly trusts: readonly Trust[];
  /** Only those that did not change since this time. */
  readonly before: string | undefined;
  readonly kept: readonly string[];
  readonly limit: number;
}

/** Archival blocks that the agent may change, that were never a person's word and that supersede no other: least trusted first, then oldest. */
export function selectRemovable(
  tx: Query,
  owner: string,
  { trusts, before, kept, limit }: RemovableFilter,
): Promise<readonly MemoryBlock[]> {
  const { list } = tx.dialect;
  return select(
    tx,
    `owner = $1 AND tier = 'archival' AND permission IN ('append', 'readwrite')
       AND source <> 'person' AND trust IN ${list("$2", "text")} AND id NOT IN ${list("$3", "text")}
       AND NOT EXISTS (SELECT 1 FROM dispatch_memory.event WHERE event.owner = $1 AND event.block_id = block.id
         AND event."is" LIKE '%"trust":"high"%')
       AND NOT EXISTS (SELECT 1 FROM dispatch_memory.supersession WHERE supersession.owner = $1 AND by_id = block.id)
       ${before === undefined ? "" : "AND updated_at < $5"}
     ORDER BY CASE trust WHEN 'low' THEN 0 ELSE 1 END, updated_at, id LIMIT $4`,
    [owner, JSON.stringify(trusts), JSON.stringify(kept), limit, ...(before === undefined ? [] : [before])],
  );
}
