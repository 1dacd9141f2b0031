import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { openMemoryStore } from "../src/memory/open-memory.ts";
import { openPostgres } from "../src/postgres/postgres-sql.ts";
import { createDatabase } from "../test/engines.ts";

/**
 * Many owners write to one store at once: `node owners.bench.ts [OWNERS] [WRITES]`, by default 1,000 owners with ten writes
 * each, to a directory and to the server of `DISPATCH_TEST_POSTGRES_URL`, if one is named. Counts the notes that were kept, and the
 * connections that the server saw.
 */
const [owners = "1000", writes = "10"] = process.argv.slice(2);
const ids = Array.from({ length: Number(owners) }, (_, n) => `user-${n}`);

async function run(url: string, suffix: string): Promise<void> {
  const store = await openMemoryStore(url);
  const naming = performance.now();
  for (const id of ids) store.owner(id);
  metric(`memory.owners.open_ms${suffix}`, (performance.now() - naming) / ids.length, "ms");
  const started = performance.now();
  const written = await Promise.allSettled(
    ids.flatMap((id) =>
      Array.from({ length: Number(writes) }, (_, n) =>
        store.owner(id).manager.write({ label: `note ${n}`, content: `what ${id} wrote as number ${n}` }),
      ),
    ),
  );
  const seconds = (performance.now() - started) / 1_000;
  const lists = await Promise.all(ids.map((id) => store.owner(id).manager.list()));
  const refused = written.filter(({ status }) => status === "rejected").length;
  const kept = lists.reduce((sum, list) => sum + list.length, 0);
  await store.close();
  metric(`memory.owners.lost${suffix}`, written.length - kept, "writes");
  metric(`memory.owners.refused${suffix}`, refused, "writes");
  metric(`memory.owners.write.per_s${suffix}`, written.length / seconds, "1/s");
}

const directory = mkdtempSync(join(tmpdir(), "owners-bench-"));
await run(directory, "").finally(() => rmSync(directory, { recursive: true }));

const server = process.env["DISPATCH_TEST_POSTGRES_URL"];
if (server !== undefined) {
  const { url, drop } = await createDatabase(server);
  const watch = openPostgres(server, { connections: 1 });
  let most = 0;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    const [row] = await watch.query<{ count: number }>(
      "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = $1",
      [new URL(url).pathname.slice(1)],
    );
    most = Math.max(most, row?.count ?? 0);
    isLooking = false;
  };
  const looking = setInterval(() => void look(), 20);
  try {
    await run(url, ".server");
  } finally {
    clearInterval(looking);
    await watch.close();
    await drop();
  }
  metric("memory.owners.connections", most, "connections");
}
