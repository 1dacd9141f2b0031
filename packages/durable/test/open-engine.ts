import type { DurableEngine } from "@dispatch/durable";

/** Opens the engine that a text names: a file, or the URL of a server. */
export async function openEngine(url: string, serves: boolean, maxTaken = 16): Promise<DurableEngine> {
  if (!url.startsWith("postgres:")) {
    const { openSqliteEngine } = await import("@dispatch/durable/sqlite");
    return openSqliteEngine(url);
  }
  const { openDbosEngine } = await import("@dispatch/durable/dbos");
  return openDbosEngine({ url, takeoverMs: 500, serves, maxTaken });
}
