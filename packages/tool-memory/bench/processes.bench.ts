import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkMixed } from "../test/check-mixed.ts";
import { startChild } from "../test/child.ts";
import { createDatabase } from "../test/engines.ts";

/**
 * Eight processes write, propose, approve and undo in one memory at the same time: in a directory, and on the server of
 * `DISPATCH_TEST_POSTGRES_URL` if one is named. Four others write new blocks to a directory.
 * `node processes.bench.ts [WRITES] [PROCESSES]`, by default 1,000 writes each.
 */
const [writes = "1000", processes = "8"] = process.argv.slice(2);
const writeMixed = new URL("../test/write-mixed.ts", import.meta.url);
const writePlain = new URL("../test/write-plain.ts", import.meta.url);
/** Number of processes that write and do nothing else, one write at a time each. */
const PLAIN = 4;
let lostInAll = 0;

async function run(name: string, url: string): Promise<void> {
  const started = performance.now();
  const children = Array.from({ length: Number(processes) }, (_, n) => startChild(writeMixed, url, `${n}`, writes));
  await Promise.all(children.map(({ ended }) => ended));
  const seconds = (performance.now() - started) / 1_000;
  if (children.some(({ lines }) => lines.at(-1) !== "DONE")) throw new Error(`a writer to the ${name} ended early`);
  const lines = children.flatMap((child) => child.lines);
  const { lost, found, events } = await checkMixed(url, lines);
  lostInAll += lost;
  console.log(`${name}: ${events} events of ${processes} processes, ${found} acknowledged writes found, ${lost} lost`);
  console.log(`METRIC memory.processes.${name}.per_s ${((Number(writes) * children.length) / seconds).toFixed(1)} 1/s`);
}

/** Writes a second from when every process has the memory open. */
async function runPlain(url: string): Promise<void> {
  const children = Array.from({ length: PLAIN }, (_, n) => startChild(writePlain, url, `${n}`, writes));
  await Promise.all(children.map((child) => child.printed(1)));
  const started = performance.now();
  for (const child of children) child.process.stdin?.end();
  await Promise.all(children.map((child) => child.printed(2)));
  const seconds = (performance.now() - started) / 1_000;
  await Promise.all(children.map(({ ended }) => ended));
  if (children.some(({ lines }) => lines.at(-1) !== "DONE")) throw new Error("a writer ended early");
  console.log(`METRIC memory.processes.plain.per_s ${((Number(writes) * PLAIN) / seconds).toFixed(1)} 1/s`);
}

const root = mkdtempSync(join(tmpdir(), "processes-bench-"));
try {
  await run("directory", join(root, "memory"));
  await runPlain(join(root, "plain"));
  const server = process.env["DISPATCH_TEST_POSTGRES_URL"];
  if (server !== undefined) {
    const { url, drop } = await createDatabase(server);
    await run("server", url).finally(drop);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.log(`METRIC memory.lost_updates ${lostInAll} writes`);
