import type { MemoryBlock } from "../block/memory-block.ts";
import { toPassages, type Passage } from "../block/passage.ts";
import { seriesOf } from "../block/series.ts";
import type { Sql } from "../database/sql.ts";
import { changeRows, type ChangeStatement } from "./change-statement.ts";
import { takeTurn } from "./turn.ts";

/** The block as a passage needs it. */
export type PassageSource = Pick<MemoryBlock, "id" | "label" | "tier" | "content">;

/**
 * Has a statement make a block's passages those of its text, as it writes the text. Every passage is found by the words of
 * its label too, its parts counted as words.
 *
 * @param was the block before, `null` when it is new. Of an addition to its end only the last passage and what follows
 * are written.
 */
export function writePassages(
  statement: ChangeStatement,
  owner: string,
  block: PassageSource,
  was: PassageSource | null,
): void {
  const now = toPassages(block.content);
  const from = was === null ? 0 : firstChange(block, now, was);
  const pieces = now.slice(from).map(({ start, end }, at) => ({
    ordinal: from + at,
    start,
    end,
    body: block.content.slice(start, end),
  }));
  const whose = statement.value(owner);
  const id = statement.value(block.id);
  const series = statement.value(seriesOf(block.tier, block.label.normalize("NFKC").toLowerCase()), "text");
  if (was !== null) {
    statement.add(
      "passage_gone",
      `DELETE FROM dispatch_memory.passage WHERE owner = ${whose} AND block_id = ${id} AND ordinal >= ${statement.value(from, "integer")}
       RETURNING place`,
    );
  }
  const keepsPlace = was?.label === block.label && was.tier === block.tier;
  const places = [
    ...(keepsPlace ? ["(SELECT place FROM passage_gone LIMIT 1)"] : []),
    `(SELECT max(place) FROM dispatch_memory.passage WHERE owner = ${whose} AND series = ${series} AND block_id <> ${id}) + 1`,
    "1",
  ];
  statement.add(
    "passage_added",
    `INSERT INTO dispatch_memory.passage (owner, block_id, ordinal, start, "end", series, place, length, words)
     SELECT ${whose}, ${id}, piece.ordinal, piece.start, piece."end", ${series}, sequence.place, size.length, text.words
     FROM (SELECT coalesce(${places.join(", ")}) AS place) AS sequence
     CROSS JOIN json_to_recordset(${statement.value(JSON.stringify(pieces), "text")}::json) AS piece(ordinal integer, start integer, "end" integer, body text)
     CROSS JOIN LATERAL (
       SELECT to_tsvector('pg_catalog.english', translate(${statement.value(block.label)}, '_./:-', '     ') || ' ' || piece.body) AS words
     ) AS text
     CROSS JOIN LATERAL (SELECT coalesce(sum(cardinality(positions)), 0)::integer AS length FROM unnest(text.words)) AS size`,
  );
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

/** Gives passages to blocks that have none: those of a database that was filled by other means. Resolves to how many there were. */
export async function repairPassages(sql: Sql, owner: string): Promise<number> {
  const select = `SELECT id, label, tier, content FROM dispatch_memory.block
     WHERE owner = $1 AND NOT EXISTS (SELECT 1 FROM dispatch_memory.passage WHERE passage.owner = $1 AND passage.block_id = block.id)
     ORDER BY created_at, id LIMIT 100`;
  for (let repaired = 0; ;) {
    if ((await sql.query(select, [owner])).length === 0) return repaired;
    repaired += await sql.transaction(async (tx) => {
      await takeTurn(tx, owner);
      const bare = await tx.query<PassageSource>(select, [owner]);
      for (const block of bare) await changeRows(tx, (statement) => writePassages(statement, owner, block, null));
      return bare.length;
    });
  }
}
