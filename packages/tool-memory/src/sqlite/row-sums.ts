import { crc32 } from "node:zlib";
import type { Connection } from "./connection.ts";

/** The columns of each table whose rows carry a checksum, in `sum`. Never in another order: stored sums depend on it. */
const SUMMED = {
  owner:
    "number owner seq hash blocks characters day day_events passages length first_passage last_passage day_chars".split(
      " ",
    ),
  block:
    "owner id label key tier permission source trust content version created_at updated_at series place valid_from".split(
      " ",
    ),
  mutation:
    "owner id label key op tier new_label block_id base_version base_hash before proposed proposed_hash source trust supersedes supersedes_version reason actor_kind actor_id session status feedback resolved_by at expires_at resolved_at resolved_seq essence valid_from".split(
      " ",
    ),
} as const;

/** A table whose rows carry a checksum. */
type SummedTable = keyof typeof SUMMED;

/** CRC-32 of a row's values. It finds damage, not forgery: that is what the history's hashes are for. */
export function sumOf(values: readonly unknown[]): number {
  let text = "";
  for (const value of values) text += typeof value === "string" ? `s${value}\0` : `${value as number | null}\0`;
  return crc32(text);
}

/** The functions that statements use, by their names. */
export const SUM_FUNCTIONS = {
  row_sum: (...values: readonly unknown[]): number => sumOf(values),
  /** Its first value, if the sum of those after the second one is the second. */
  intact(value: unknown, sum: unknown, ...values: readonly unknown[]): unknown {
    if (sum === sumOf(values)) return value;
    // A join without a row.
    if (sum === null && values.every((one) => one === null)) return null;
    throw damaged("a row has another checksum than its values");
  },
} as const;

/** A text column of a row, which is read only if the row is as it was written. */
export function intactColumn(table: SummedTable, column: string, alias: string = table): string {
  return `intact(${alias}.${column}, ${alias}.sum, ${SUMMED[table].map((name) => `${alias}.${name}`).join(", ")})`;
}

/** Reads every row that carries a checksum. Throws when one is not as it was written. */
export function checkSums(db: Connection): void {
  for (const table of Object.keys(SUMMED) as SummedTable[])
    db.list(`SELECT count(${intactColumn(table, "owner")}) FROM dispatch_memory.${table}`);
}

/** The statements that give the rows of a table checksums. */
export function addSums(table: SummedTable): readonly string[] {
  const columns = SUMMED[table];
  const values = columns.map((name) => `new.${name}`).join(", ");
  const set = `UPDATE ${table} SET sum = row_sum(${values}) WHERE rowid = new.rowid`;
  return [
    `ALTER TABLE dispatch_memory.${table} ADD COLUMN sum INTEGER`,
    `CREATE TRIGGER dispatch_memory.${table}_added_sum AFTER INSERT ON ${table} BEGIN ${set}; END`,
    `CREATE TRIGGER dispatch_memory.${table}_changed_sum AFTER UPDATE OF ${columns.join(", ")} ON ${table} BEGIN ${set}; END`,
  ];
}

/** The error for stored data that is not as it was written. */
export function damaged(found: string): Error {
  return Object.assign(new Error(found), { code: "damaged" });
}
