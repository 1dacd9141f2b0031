import { iso } from "./iso.ts";
import { toKey } from "./label.ts";
import type { MemoryBlock, MemorySummary } from "./memory-block.ts";
import type { SqlQuery } from "./sql.ts";
import type { Tier } from "./tier.ts";

/** The columns of a {@link MemoryBlock}, of the table named `block`. */
export const BLOCK_COLUMNS = `block.id, block.label, block.tier, block.permission, block.source, block.trust, block.content, block.version,
  ${iso("block.created_at")} AS "createdAt", ${iso("block.updated_at")} AS "updatedAt"`;

const tierOrder = "array_position(ARRAY['core', 'working', 'archival'], tier)";

/** The block of this label, locked until the transaction ends. */
export async function lockBlock(tx: SqlQuery, owner: string, key: string): Promise<MemoryBlock | null> {
  const rows = await tx.query<MemoryBlock>(
    `SELECT ${BLOCK_COLUMNS} FROM dispatch_memory.block WHERE owner = $1 AND key = $2 FOR UPDATE`,
    [owner, key],
  );
  return rows[0] ?? null;
}

/** The block of this id, locked until the transaction ends. */
export async function lockBlockById(tx: SqlQuery, owner: string, id: string): Promise<MemoryBlock | null> {
  const rows = await tx.query<MemoryBlock>(
    `SELECT ${BLOCK_COLUMNS} FROM dispatch_memory.block WHERE owner = $1 AND id = $2 FOR UPDATE`,
    [owner, id],
  );
  return rows[0] ?? null;
}

/** The block of this label. */
export async function selectBlock(sql: SqlQuery, owner: string, key: string): Promise<MemoryBlock | null> {
  const rows = await sql.query<MemoryBlock>(
    `SELECT ${BLOCK_COLUMNS} FROM dispatch_memory.block WHERE owner = $1 AND key = $2`,
    [owner, key],
  );
  return rows[0] ?? null;
}

/** Every block of an owner, by label. */
export async function selectBlocks(sql: SqlQuery, owner: string): Promise<readonly MemoryBlock[]> {
  return sql.query<MemoryBlock>(
    `SELECT ${BLOCK_COLUMNS} FROM dispatch_memory.block WHERE owner = $1 ORDER BY key COLLATE "C"`,
    [owner],
  );
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
export async function selectTier(sql: SqlQuery, owner: string, tier: Tier): Promise<readonly MemoryBlock[]> {
  return sql.query<MemoryBlock>(
    `SELECT ${BLOCK_COLUMNS} FROM dispatch_memory.block WHERE owner = $1 AND tier = $2 ORDER BY key COLLATE "C"`,
    [owner, tier],
  );
}

/** Adds a block. */
export async function insertBlock(tx: SqlQuery, owner: string, block: MemoryBlock): Promise<void> {
  const { id, label, tier, permission, source, trust, content, version, createdAt, updatedAt } = block;
  await tx.query(
    `INSERT INTO dispatch_memory.block AS block
       (owner, id, label, key, tier, permission, source, trust, content, version, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::integer, $11::timestamptz, $12::timestamptz)`,
    [owner, id, label, toKey(label), tier, permission, source, trust, content, version, createdAt, updatedAt],
  );
}

/** Gives a block another text, state and version. */
export async function updateBlock(tx: SqlQuery, owner: string, block: MemoryBlock): Promise<void> {
  const { id, label, tier, permission, source, trust, content, version, updatedAt } = block;
  await tx.query(
    `UPDATE dispatch_memory.block AS block
     SET label = $3::text, key = $4, tier = $5, permission = $6, source = $7, trust = $8, content = $9::text, version = $10::integer,
       updated_at = $11::timestamptz
     WHERE block.owner = $1 AND block.id = $2`,
    [owner, id, label, toKey(label), tier, permission, source, trust, content, version, updatedAt],
  );
}

/** Gives a block another tier, permission, provenance and version. */
export async function updateState(tx: SqlQuery, owner: string, block: MemoryBlock): Promise<void> {
  const { id, tier, permission, source, trust, version, updatedAt } = block;
  await tx.query(
    `UPDATE dispatch_memory.block AS block
     SET tier = $3, permission = $4, source = $5, trust = $6, version = $7::integer, updated_at = $8::timestamptz
     WHERE block.owner = $1 AND block.id = $2`,
    [owner, id, tier, permission, source, trust, version, updatedAt],
  );
}

/** Deletes a block. */
export async function deleteBlock(tx: SqlQuery, owner: string, id: string): Promise<void> {
  await tx.query("DELETE FROM dispatch_memory.block WHERE owner = $1 AND id = $2", [owner, id]);
}
