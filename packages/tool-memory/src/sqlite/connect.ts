import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { Connection } from "./connection.ts";
import { SUM_FUNCTIONS } from "./row-sums.ts";
import type { Location } from "./thread-request.ts";

const SETTINGS = [
  // A commit is on disk when it is acknowledged.
  "PRAGMA dispatch_memory.synchronous = FULL",
  "PRAGMA foreign_keys = ON",
  // Deleted content is overwritten, and never written to a temporary file.
  "PRAGMA dispatch_memory.secure_delete = ON",
  "PRAGMA temp_store = MEMORY",
];

/** Connects to a database, and creates its file when there is none. */
export function connect({ file, isReadOnly }: Location): Connection {
  const database = new DatabaseSync(":memory:", { timeout: 0 });
  // SQLite's own functions know upper and lower case of English letters only.
  database.function("contains", { deterministic: true }, (text, part) =>
    Number(typeof part === "string" && String(text).toLowerCase().includes(part.toLowerCase())),
  );
  for (const [name, work] of Object.entries(SUM_FUNCTIONS))
    database.function(name, { deterministic: true, varargs: true }, work as (...values: readonly unknown[]) => number);
  const connection = new Connection(database);
  try {
    connection.all("ATTACH $1 AS dispatch_memory", [toName(file, isReadOnly)]);
    if (file !== undefined && !isReadOnly) connection.all("PRAGMA dispatch_memory.journal_mode = WAL");
    for (const setting of SETTINGS) connection.run(setting);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function toName(file: string | undefined, isReadOnly: boolean): string {
  if (file === undefined) return ":memory:";
  const url = pathToFileURL(file);
  // Without a log there is nothing that the file does not hold, and SQLite could not make one.
  if (isReadOnly) url.search = existsSync(`${file}-wal`) ? "?mode=ro" : "?immutable=1";
  return url.href;
}
