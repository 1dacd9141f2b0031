import type { ChangeStatement } from "./change-statement.ts";
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

/** Gives a block another text, state and version. */
export function updateBlock(statement: ChangeStatement, owner: string, block: MemoryBlock): void {
  const { label, content } = block;
  update(statement, owner, block, { label, key: toKey(label), content });
}

/** Gives a block another tier, permission, provenance and version. */
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
