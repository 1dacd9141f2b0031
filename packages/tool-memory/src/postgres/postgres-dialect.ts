import type { Dialect } from "../database/database.ts";
import { writePassages } from "./write-passages.ts";

/** The SQL of PostgreSQL. */
export const postgresDialect: Dialect = Object.freeze({
  iso: (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  time: (seconds?: string) =>
    seconds === undefined ? "clock_timestamp()" : `clock_timestamp() + make_interval(secs => ${seconds}::float8)`,
  lock: (table: string, others?: "skip") => ` FOR UPDATE OF ${table}${others === undefined ? "" : " SKIP LOCKED"}`,
  // A statement that waited for a lock sees the locked row anew, and others as they were when it began.
  seesLatest: false,
  list: (placeholder: string, type: "text" | "bigint") =>
    `(SELECT value::${type} FROM json_array_elements_text(${placeholder}::text::json) AS value)`,
  contains: (columns: string, placeholder: string) =>
    `strpos(lower(concat_ws(' ', ${columns})), lower(${placeholder}::text)) > 0`,
  intact: (table: "block" | "mutation", column: string, alias: string = table) => `${alias}.${column}`,
  order: (table: string) => `${table}.id`,
  writePassages,
});
