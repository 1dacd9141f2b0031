import type { ChangeStatement, Dialect, PassageChange } from "../database/database.ts";
import { toSearchTerms } from "../text/search-terms.ts";
import { intactColumn, sumOf } from "./row-sums.ts";

const ISO = "'%Y-%m-%dT%H:%M:%fZ'";

/** The SQL of SQLite. Times are stored as ISO 8601. A transaction locks the whole database, so no statement locks rows. */
export const sqliteDialect: Dialect = Object.freeze({
  iso: (column: string) => column,
  time: (seconds?: string) => `strftime(${ISO}, 'now'${seconds === undefined ? "" : `, (${seconds}) || ' seconds'`})`,
  lock: () => "",
  seesLatest: true,
  list: (placeholder: string) => `(SELECT value FROM json_each(${placeholder}))`,
  contains: (columns: string, placeholder: string) => `contains(concat_ws(' ', ${columns}), ${placeholder})`,
  intact: intactColumn,
  order: (table: string) => `${table}.rowid`,
  writePassages,
});

/** Rewrites a block's passages. The parts of its label count as words. */
function writePassages(
  statement: ChangeStatement,
  { owner, blockId, label, series, isRewritten, keepsPlace, from, pieces }: PassageChange,
): void {
  const whose = statement.value(owner);
  const id = statement.value(blockId);
  // A new block without a sequence is in its place as it is.
  if (!keepsPlace && (isRewritten || series !== null)) {
    const sequence = statement.value(series);
    statement.add(
      "placed",
      `UPDATE dispatch_memory.block SET series = ${sequence}, place = 1 + coalesce(
         (SELECT max(place) FROM dispatch_memory.block WHERE owner = ${whose} AND series = ${sequence} AND id <> ${id}), 0)
       WHERE owner = ${whose} AND id = ${id}`,
    );
  }
  if (isRewritten) {
    statement.add(
      "passage_gone",
      `DELETE FROM dispatch_memory.passage WHERE owner = ${whose} AND block_id = ${id} AND ordinal >= ${statement.value(from)}`,
    );
  }
  const rows = pieces.map(({ ordinal, start, end, body }) => {
    const tokens = toSearchTerms(`${label} ${body}`);
    const row = [ordinal, start, end, tokens.length, tokens.join(" ")];
    const values = [...row, sumOf([owner, blockId, ...row])];
    return `(${whose}, ${id}, ${values.map((value) => statement.value(value)).join(", ")})`;
  });
  statement.add(
    "passage_added",
    `INSERT INTO dispatch_memory.passage (owner, block_id, ordinal, start, "end", length, words, sum) VALUES ${rows.join(", ")}`,
  );
}
