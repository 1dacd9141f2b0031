import type { Database } from "../src/database/database.ts";

/** The tables in which a text stands, whatever its case. */
export async function tablesWith(database: Database, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const table of ["owner", "block", "event", "mutation", "passage"]) {
    const rows = await database.query<object>(`SELECT * FROM dispatch_memory.${table}`);
    if (JSON.stringify(rows).toLowerCase().includes(text.toLowerCase())) found.push(table);
  }
  return found;
}
