import type { DurableEngine } from "@dispatch/tools-interface/durable";

/** Opens the engine that a text names: a file, or the URL of a server. */
export async function openEngine(url: string): Promise<DurableEngine> {
  const { openSqliteEngine } = await import("@dispatch/tools-interface/durable/sqlite");
  return openSqliteEngine(url);
}
