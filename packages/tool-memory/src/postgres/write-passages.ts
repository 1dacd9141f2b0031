import type { ChangeStatement } from "../database/database.ts";
import type { PassageChange } from "../database/passage-change.ts";

/** Rewrites a block's passages. The parts of its label count as words. */
export function writePassages(
  statement: ChangeStatement,
  { owner, blockId, label, series, isRewritten, keepsPlace, from, pieces }: PassageChange,
): void {
  const whose = statement.value(owner);
  const id = statement.value(blockId);
  const sequence = `${statement.value(series)}::text`;
  if (isRewritten) {
    statement.add(
      "passage_gone",
      `DELETE FROM dispatch_memory.passage WHERE owner = ${whose} AND block_id = ${id} AND ordinal >= ${statement.value(from)}
       RETURNING place`,
    );
  }
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
     CROSS JOIN json_to_recordset(${statement.value(JSON.stringify(pieces))}::text::json) AS piece(ordinal integer, start integer, "end" integer, body text)
     CROSS JOIN LATERAL (
       SELECT to_tsvector('pg_catalog.english', translate(${statement.value(label)}::text, '_./:-', '     ') || ' ' || piece.body) AS words
     ) AS text
     CROSS JOIN LATERAL (SELECT coalesce(sum(cardinality(positions)), 0)::integer AS length FROM unnest(text.words)) AS size`,
  );
}
