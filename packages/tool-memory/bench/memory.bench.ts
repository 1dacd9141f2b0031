import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
// @boundaries-ignore benches measure in one way
import { median, metric } from "../../tools-interface/bench/measure.ts";
import { openMemory } from "../src/memory/open-memory.ts";

/** Writes and searches an embedded memory of 1,000 blocks. Prints one line a figure: `METRIC name value unit`. */
const BLOCKS = 1_000;
/** Long enough that clearing up and embedding, which come now and then, are counted too. */
const SUSTAINED = 2_000;
const READS = 200;
const OPENINGS = 7;
/** Number of pages that a write changes, on average. */
const PAGES = 13;
const words =
  "tea morning budget release vitest postgres dog paris meeting plan owner friday kernel garden ticket review".split(
    " ",
  );
const text = (n: number): string =>
  Array.from({ length: 40 }, (_, at) => words[(n * 7 + at * ((n % 5) + 1)) % words.length]).join(" ");

interface Opening {
  readonly ms: number;
  readonly read: number;
  readonly rss: number;
}

/** Run in a process of its own, which has the directory as its argument. */
const openOnce = `
import { openMemory } from "@dispatch/tool-memory";
const opening = performance.now();
const memory = await openMemory(process.argv[1]);
const ms = performance.now() - opening;
await memory.manager.search("tea");
const read = performance.now() - opening;
console.log(JSON.stringify({ ms, read, rss: process.memoryUsage.rss() }));
await memory.close();
`;

/** Commits a second of SQLite alone on the same disk: a short row in as many pages as a write changes, synced. */
function bareCommits(file: string, count: number): number {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  const inserts = Array.from({ length: PAGES }, (_, n) => {
    database.exec(`CREATE TABLE page_${n} (id INTEGER PRIMARY KEY, text TEXT)`);
    return database.prepare(`INSERT INTO page_${n} (text) VALUES (?)`);
  });
  const started = performance.now();
  for (let n = 0; n < count; n++) {
    database.exec("BEGIN IMMEDIATE");
    for (const insert of inserts) insert.run("x".repeat(200));
    database.exec("COMMIT");
  }
  const perSecond = count * (1_000 / (performance.now() - started));
  database.close();
  return perSecond;
}

const directory = mkdtempSync(join(tmpdir(), "memory-bench-"));
try {
  // As it is installed: built, and without the loader for TypeScript, which weighs more than the database.
  execFileSync("npx", ["--yes", "pnpm", "build"], { stdio: "ignore" });
  const openOften = (toDirectory: (n: number) => string): readonly Opening[] =>
    Array.from({ length: OPENINGS }, (_, n) => {
      const args = ["--input-type=module", "--eval", openOnce, toDirectory(n)];
      const cwd = fileURLToPath(new URL("../", import.meta.url));
      return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: "utf8" })) as Opening;
    });
  const fresh = openOften((n) => join(directory, `first-${n}`));
  metric("memory.open_new_ms", median(fresh.map(({ ms }) => ms)), "ms");
  metric("memory.rss_mb", median(fresh.map(({ rss }) => rss / 1e6)), "MB");

  const { manager, close } = await openMemory(join(directory, "memory"));
  const write = (n: number) => manager.write({ label: `block ${n}`, content: `${text(n)} number${n}` });
  // The first half one after the other, the second all at once.
  const writing = performance.now();
  for (let n = 0; n < BLOCKS / 2; n++) await write(n);
  metric("memory.write_first.per_s", (BLOCKS / 2) * (1_000 / (performance.now() - writing)), "1/s");
  const flooding = performance.now();
  await Promise.all(Array.from({ length: BLOCKS / 2 }, (_, n) => write(BLOCKS / 2 + n)));
  metric("memory.write_at_once.per_s", (BLOCKS / 2) * (1_000 / (performance.now() - flooding)), "1/s");

  const sustained = await openMemory(join(directory, "sustained"));
  const sustaining = performance.now();
  for (let n = 0; n < SUSTAINED; n++) await sustained.manager.write({ label: `block ${n}`, content: text(n) });
  metric("memory.write.per_s", SUSTAINED * (1_000 / (performance.now() - sustaining)), "1/s");
  await sustained.close();
  metric("memory.write.floor_per_s", bareCommits(join(directory, "bare.db"), SUSTAINED), "1/s");

  const times: number[] = [];
  for (let n = 0; n < READS; n++) {
    const reading = performance.now();
    const hits = await manager.search(`${words[n % words.length]} ${words[(n * 3 + 1) % words.length]} number${n}`);
    times.push(performance.now() - reading);
    if (hits[0]?.label !== `block ${n}`) throw new Error(`the best hit for number${n} was ${hits[0]?.label}`);
  }
  times.sort((a, b) => a - b);
  metric("memory.read.p50_ms.1k", times[READS / 2] ?? Number.NaN, "ms");
  metric("memory.read.p95_ms.1k", times[READS * 0.95] ?? Number.NaN, "ms");
  await close();

  const again = openOften(() => join(directory, "memory"));
  metric("memory.open_existing_first_read_ms", median(again.map(({ read }) => read)), "ms");
} finally {
  rmSync(directory, { recursive: true, force: true });
}
