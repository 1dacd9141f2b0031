import type { DurableEngine } from "@dispatch/tools-interface/durable";

/** Opens the engine that a text names: a file, or the URL of a server. */
export async function openEngine(url: string, serves: boolean, maxTaken = 16): Promise<DurableEngine> {
  if (url.startsWith("http:")) {
    const { openRestateEngine } = await import("@dispatch/tools-interface/durable/restate");
    return openRestateEngine({ url, leaseMs: 2_000 });
  }
  if (!url.startsWith("postgres:")) {
    const { openSqliteEngine } = await import("@dispatch/tools-interface/durable/sqlite");
    return openSqliteEngine(url);
  }
  const { openDbosEngine } = await import("@dispatch/tools-interface/durable/dbos");
  return openDbosEngine({ url, takeoverMs: 500, serves, maxTaken });
}
