import { iso } from "./iso.ts";
import type { Label } from "./label.ts";
import type { MemoryBlock, MemorySummary } from "./memory-block.ts";
import type { SqlQuery } from "./sql.ts";
import type { Tier } from "./tier.ts";

/** The columns of a {@link MemoryBlock}, of the table named `block`. */
export const BLOCK_COLUMNS = `block.id, block.label, block.tier, block.permission, block.content, block.version,
  ${iso("block.created_at")} AS "createdAt", ${iso("block.updated_at")} AS "updatedAt"`;

const tierOrder = "array_position(ARRAY['core', 'working', 'archival'], tier)";

/**
 * Makes all later reads and writes of this transaction the only ones of their owner until it ends. Without it two
 * transactions could both create a label or both take the last place, and events could commit out of order.
 */
export async function lockOwner(tx: SqlQuery, owner: string): Promise<void> {
  const lock = "SELECT 1 FROM dispatch_memory.owner WHERE owner = $1 FOR UPDATE";
  if ((await tx.query(lock, [owner])).length > 0) return;
  await tx.query("INSERT INTO dispatch_memory.owner (owner) VALUES ($1) ON CONFLICT (owner) DO NOTHING", [owner]);
  await tx.query(lock, [owner]);
}

/** The block of this label, locked until the transaction ends. */
export async function lockBlock(tx: SqlQuery, owner: string, key: string): Promise<MemoryBlock | null> {
  const rows = await tx.query<MemoryBlock>(
    `SELECT ${BLOCK_COLUMNS} FROM dispatch_memory.block WHERE owner = $1 AND key = $2 FOR UPDATE`,
    [owner, key],
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
    `SELECT id, label, tier, permission, version, length(content) AS characters, left(content, 80) AS preview,
       ${iso("updated_at")} AS "updatedAt"
     FROM dispatch_memory.block WHERE owner = $1 AND ($2::text IS NULL OR tier = $2::text)
     ORDER BY ${tierOrder}, updated_at DESC, key COLLATE "C"`,
    [owner, tier ?? null],
  );
}

/** How many blocks an owner has. */
export async function countBlocks(tx: SqlQuery, owner: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM dispatch_memory.block WHERE owner = $1",
    [owner],
  );
  return rows[0]?.count ?? 0;
}

/** Adds a block. */
export async function insertBlock(
  tx: SqlQuery,
  owner: string,
  label: Label,
  block: Pick<MemoryBlock, "id" | "tier" | "permission" | "content" | "version">,
): Promise<MemoryBlock> {
  const rows = await tx.query<MemoryBlock>(
    `INSERT INTO dispatch_memory.block AS block
       (owner, id, label, key, tier, permission, content, version, created_at, updated_at)
     SELECT $1, $2, $3::text, $4, $5, $6, $7::text, $8::integer, clock.at, clock.at
     FROM (SELECT clock_timestamp() AS at) AS clock
     RETURNING ${BLOCK_COLUMNS}`,
    [owner, block.id, label.text, label.key, block.tier, block.permission, block.content, block.version],
  );
  return single(rows);
}

/** Gives a block another text and its next version. */
export async function updateContent(
  tx: SqlQuery,
  owner: string,
  block: MemoryBlock,
  content: string,
): Promise<MemoryBlock> {
  const rows = await tx.query<MemoryBlock>(
    `UPDATE dispatch_memory.block AS block
     SET content = $3::text, version = block.version + 1, updated_at = clock_timestamp()
     WHERE block.owner = $1 AND block.id = $2
     RETURNING ${BLOCK_COLUMNS}`,
    [owner, block.id, content],
  );
  return single(rows);
}

/** Gives a block another permission and its next version. */
export async function updatePermission(
  tx: SqlQuery,
  owner: string,
  block: MemoryBlock,
  permission: string,
): Promise<MemoryBlock> {
  const rows = await tx.query<MemoryBlock>(
    `UPDATE dispatch_memory.block AS block SET permission = $3, version = block.version + 1, updated_at = clock_timestamp()
     WHERE block.owner = $1 AND block.id = $2
     RETURNING ${BLOCK_COLUMNS}`,
    [owner, block.id, permission],
  );
  return single(rows);
}

/** Deletes a block. */
export async function deleteBlock(tx: SqlQuery, owner: string, id: string): Promise<void> {
  await tx.query("DELETE FROM dispatch_memory.block WHERE owner = $1 AND id = $2", [owner, id]);
}

function single<Row>(rows: readonly Row[]): Row {
  const row = rows[0];
  if (row === undefined) throw new Error("a statement that changes one row changed none");
  return row;
}
