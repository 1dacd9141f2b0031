import type { MemoryBlock } from "./memory-block.ts";
import { toPassages, type Passage } from "./passage.ts";
import { seriesOf } from "./series.ts";
import type { Sql, SqlQuery } from "./sql.ts";

/** The block as a passage needs it. */
export type PassageSource = Pick<MemoryBlock, "id" | "label" | "tier" | "content">;

/** Every passage is found by the words of its label too, its parts counted as words. */
const insert = `INSERT INTO dispatch_memory.passage (owner, block_id, ordinal, start, "end", series, place, length, words)
  SELECT $1, $2, piece.ordinal, piece.start, piece."end", $4::text, sequence.place, size.length, text.words
  FROM (SELECT coalesce($5::bigint, (SELECT max(place) FROM dispatch_memory.passage WHERE owner = $1 AND series = $4::text) + 1, 1) AS place) AS sequence
  CROSS JOIN json_to_recordset($6::text::json) AS piece(ordinal integer, start integer, "end" integer, body text)
  CROSS JOIN LATERAL (SELECT to_tsvector('pg_catalog.english', translate($3::text, '_./:-', '     ') || ' ' || piece.body) AS words) AS text
  CROSS JOIN LATERAL (SELECT coalesce(sum(cardinality(positions)), 0)::integer AS length FROM unnest(text.words)) AS size`;

/**
 * Makes a block's passages those of its text, in the transaction that wrote the text.
 *
 * @param was the block before, `null` when it is new. Of an addition to its end only the last passage and what follows
 * are written.
 */
export async function writePassages(
  tx: SqlQuery,
  owner: string,
  block: PassageSource,
  was: PassageSource | null,
): Promise<void> {
  const now = toPassages(block.content);
  const from = was === null ? 0 : firstChange(block, now, was);
  let place: number | string | null = null;
  if (was !== null) {
    const gone = await tx.query<{ place: number | string }>(
      "DELETE FROM dispatch_memory.passage WHERE owner = $1 AND block_id = $2 AND ordinal >= $3::integer RETURNING place",
      [owner, block.id, from],
    );
    place = was.label === block.label && was.tier === block.tier ? (gone[0]?.place ?? null) : null;
  }
  const pieces = now.slice(from).map(({ start, end }, at) => ({
    ordinal: from + at,
    start,
    end,
    body: block.content.slice(start, end),
  }));
  const series = seriesOf(block.tier, block.label.normalize("NFKC").toLowerCase());
  await tx.query(insert, [owner, block.id, block.label, series, place, JSON.stringify(pieces)]);
}

/** The ordinal of the first passage that is not as it was. The last one is always written again: it carries the block's place. */
function firstChange(block: PassageSource, now: readonly Passage[], was: PassageSource): number {
  if (was.label !== block.label || was.tier !== block.tier) return 0;
  const before = toPassages(was.content);
  const same = (at: number): boolean => {
    const [a, b] = [now[at], before[at]];
    return (
      a !== undefined &&
      b !== undefined &&
      a.end === b.end &&
      block.content.slice(a.start, a.end) === was.content.slice(b.start, b.end)
    );
  };
  let from = 0;
  while (from < now.length - 1 && from < before.length - 1 && same(from)) from++;
  return from;
}

/** Gives passages to blocks that have none: restored or imported ones. Resolves to how many there were. */
export async function repairPassages(sql: Sql, owner: string): Promise<number> {
  let repaired = 0;
  for (;;) {
    const found = await sql.transaction(async (tx) => {
      const bare = await tx.query<PassageSource>(
        `SELECT id, label, tier, content FROM dispatch_memory.block
         WHERE owner = $1 AND NOT EXISTS (SELECT 1 FROM dispatch_memory.passage WHERE passage.owner = $1 AND passage.block_id = block.id)
         ORDER BY created_at, id LIMIT 100 FOR UPDATE`,
        [owner],
      );
      for (const block of bare) await writePassages(tx, owner, block, null);
      return bare.length;
    });
    repaired += found;
    if (found === 0) return repaired;
  }
}
