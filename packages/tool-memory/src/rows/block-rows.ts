import { toKey } from "../block/label.ts";
import type { MemoryBlock, MemorySummary } from "../block/memory-block.ts";
import type { Tier } from "../block/tier.ts";
import type { SqlQuery } from "../database/sql.ts";
import type { ChangeStatement } from "./change-statement.ts";
import { iso } from "./iso.ts";

/** The columns of a {@link MemoryBlock}, of the table named `block`. */
export const BLOCK_COLUMNS = `block.id, block.label, block.tier, block.permission, block.source, block.trust, block.content, block.version,
  ${iso("block.created_at")} AS "createdAt", ${iso("block.updated_at")} AS "updatedAt"`;

/** {@link BLOCK_COLUMNS} and the ids of superseded blocks, for {@link toBlock}. `$1` of the statement must be the owner. */
export const WHOLE_BLOCK_COLUMNS = `${BLOCK_COLUMNS}, (
    SELECT json_agg(supersession.block_id) FROM dispatch_memory.supersession
    WHERE supersession.owner = $1 AND supersession.by_id = block.id
  ) AS supersedes`;

/** A row of {@link WHOLE_BLOCK_COLUMNS}. */
export interface BlockRow extends Omit<MemoryBlock, "supersedes"> {
  /** Ids of other blocks in any order, `null` for none. */
  readonly supersedes: readonly string[] | null;
}

/** The block of a row. */
export function toBlock({ supersedes, ...block }: BlockRow): MemoryBlock {
  return supersedes === null ? block : { ...block, supersedes: supersedes.toSorted() };
}

async function selectOne(tx: SqlQuery, condition: string, values: readonly string[]): Promise<MemoryBlock | null> {
  const [found] = await tx.query<BlockRow>(
    `SELECT ${WHOLE_BLOCK_COLUMNS} FROM dispatch_memory.block WHERE ${condition}`,
    values,
  );
  return found === undefined ? null : toBlock(found);
}

async function selectAll(sql: SqlQuery, condition: string, values: readonly string[]): Promise<readonly MemoryBlock[]> {
  const found = await sql.query<BlockRow>(
    `SELECT ${WHOLE_BLOCK_COLUMNS} FROM dispatch_memory.block WHERE ${condition} ORDER BY key COLLATE "C"`,
    values,
  );
  return found.map(toBlock);
}

const tierOrder = "array_position(ARRAY['core', 'working', 'archival'], tier)";

/** The block of this label, locked until the transaction ends. */
export function lockBlock(tx: SqlQuery, owner: string, key: string): Promise<MemoryBlock | null> {
  return selectOne(tx, "owner = $1 AND key = $2 FOR UPDATE", [owner, key]);
}

/** The block of this id, locked until the transaction ends. */
export function lockBlockById(tx: SqlQuery, owner: string, id: string): Promise<MemoryBlock | null> {
  return selectOne(tx, "owner = $1 AND id = $2 FOR UPDATE", [owner, id]);
}

/** The block of this label. */
export function selectBlock(sql: SqlQuery, owner: string, key: string): Promise<MemoryBlock | null> {
  return selectOne(sql, "owner = $1 AND key = $2", [owner, key]);
}

/** Every block of an owner, by label. */
export function selectBlocks(sql: SqlQuery, owner: string): Promise<readonly MemoryBlock[]> {
  return selectAll(sql, "owner = $1", [owner]);
}

/** Every block without its text. */
export async function selectSummaries(
  sql: SqlQuery,
  owner: string,
  tier: Tier | undefined,
): Promise<readonly MemorySummary[]> {
  return sql.query<MemorySummary>(
    `SELECT id, label, tier, permission, source, trust, version, length(content) AS characters, left(content, 80) AS preview,
       ${iso("updated_at")} AS "updatedAt"
     FROM dispatch_memory.block WHERE owner = $1 AND ($2::text IS NULL OR tier = $2::text)
     ORDER BY ${tierOrder}, updated_at DESC, key COLLATE "C"`,
    [owner, tier ?? null],
  );
}

/** The blocks of one tier, by label. */
export function selectTier(sql: SqlQuery, owner: string, tier: Tier): Promise<readonly MemoryBlock[]> {
  return selectAll(sql, "owner = $1 AND tier = $2", [owner, tier]);
}

/** Adds a block. */
export function insertBlock(statement: ChangeStatement, owner: string, block: MemoryBlock): void {
  const { id, label, tier, permission, source, trust, content, version, createdAt, updatedAt } = block;
  const texts = [owner, id, label, toKey(label), tier, permission, source, trust, content];
  const places = [
    ...texts.map((text) => statement.value(text)),
    statement.value(version, "integer"),
    ...[createdAt, updatedAt].map((time) => statement.value(time, "timestamptz")),
  ];
  statement.add(
    "block_added",
    `INSERT INTO dispatch_memory.block
       (owner, id, label, key, tier, permission, source, trust, content, version, created_at, updated_at)
     VALUES (${places.join(", ")})`,
  );
}

/** Updates a block's text, label, state and version. */
export function updateBlock(statement: ChangeStatement, owner: string, block: MemoryBlock): void {
  const { label, content } = block;
  update(statement, owner, block, { label, key: toKey(label), content });
}

/** Updates a block's tier, permission, provenance and version. */
export function updateState(statement: ChangeStatement, owner: string, block: MemoryBlock): void {
  update(statement, owner, block, {});
}

function update(
  statement: ChangeStatement,
  owner: string,
  { id, tier, permission, source, trust, version, updatedAt }: MemoryBlock,
  texts: Readonly<Record<string, string>>,
): void {
  const columns = Object.entries({ tier, permission, source, trust, ...texts });
  const changes = [
    ...columns.map(([column, text]) => `${column} = ${statement.value(text)}`),
    `version = ${statement.value(version, "integer")}`,
    `updated_at = ${statement.value(updatedAt, "timestamptz")}`,
  ];
  statement.add(
    "block_changed",
    `UPDATE dispatch_memory.block SET ${changes.join(", ")} WHERE owner = ${statement.value(owner)} AND id = ${statement.value(id)}`,
  );
}

/** Deletes a block. */
export function deleteBlock(statement: ChangeStatement, owner: string, id: string): void {
  statement.add(
    "block_removed",
    `DELETE FROM dispatch_memory.block WHERE owner = ${statement.value(owner)} AND id = ${statement.value(id)}`,
  );
}
