import type { MemoryBlock } from "../block/memory-block.ts";
import { toPassages, type Passage } from "../block/passage.ts";
import { sequenceOf } from "../block/sequence.ts";
import type { Sql } from "../database/sql.ts";
import { changeRows, type ChangeStatement } from "./change-statement.ts";
import { lockOwner } from "./lock-owner.ts";

/** The fields of a block that its passages are made from. */
export type PassageSource = Pick<MemoryBlock, "id" | "label" | "tier" | "content">;

/**
 * Adds to a statement: the rewriting of a block's passages from its text. Each passage is also found by the words of the
 * block's label; the parts of the label count as words.
 *
 * @param was the block before, `null` when it is new. Passages before the first changed one are kept, so an addition at the
 * end rewrites only the last passage and adds new ones.
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
  const sequence = statement.value(sequenceOf(block.tier, block.label.normalize("NFKC").toLowerCase()), "text");
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
    `(SELECT max(place) FROM dispatch_memory.passage WHERE owner = ${whose} AND series = ${sequence} AND block_id <> ${id}) + 1`,
    "1",
  ];
  statement.add(
    "passage_added",
    `INSERT INTO dispatch_memory.passage (owner, block_id, ordinal, start, "end", series, place, length, words)
     SELECT ${whose}, ${id}, piece.ordinal, piece.start, piece."end", ${sequence}, position.place, size.length, text.words
     FROM (SELECT coalesce(${places.join(", ")}) AS place) AS position
     CROSS JOIN json_to_recordset(${statement.value(JSON.stringify(pieces), "text")}::json) AS piece(ordinal integer, start integer, "end" integer, body text)
     CROSS JOIN LATERAL (
       SELECT to_tsvector('pg_catalog.english', translate(${statement.value(block.label)}, '_./:-', '     ') || ' ' || piece.body) AS words
     ) AS text
     CROSS JOIN LATERAL (SELECT coalesce(sum(cardinality(positions)), 0)::integer AS length FROM unnest(text.words)) AS size`,
  );
}

/** The ordinal of the first changed passage. At most that of the last passage, which is always rewritten: it carries the block's place. */
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

/** Makes passages for blocks that have none, as after rows were inserted by other programs. Resolves to the number of such blocks. */
export async function repairPassages(sql: Sql, owner: string): Promise<number> {
  const select = `SELECT id, label, tier, content FROM dispatch_memory.block
     WHERE owner = $1 AND NOT EXISTS (SELECT 1 FROM dispatch_memory.passage WHERE passage.owner = $1 AND passage.block_id = block.id)
     ORDER BY created_at, id LIMIT 100`;
  for (let repaired = 0; ;) {
    if ((await sql.query(select, [owner])).length === 0) return repaired;
    repaired += await sql.transaction(async (tx) => {
      await lockOwner(tx, owner);
      const bare = await tx.query<PassageSource>(select, [owner]);
      for (const block of bare) await changeRows(tx, (statement) => writePassages(statement, owner, block, null));
      return bare.length;
    });
  }
}
