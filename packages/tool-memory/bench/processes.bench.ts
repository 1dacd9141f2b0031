import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkMixed } from "../test/check-mixed.ts";
import { startChild } from "../test/child.ts";
import { createDatabase } from "../test/engines.ts";

/**
 * Eight processes write to one memory at the same time: to a directory, and to the server of `DISPATCH_TEST_POSTGRES_URL` if
 * one is named. `node processes.bench.ts [WRITES] [PROCESSES]`, by default 1,000 writes each.
 */
const [writes = "1000", processes = "8"] = process.argv.slice(2);
const writeMixed = new URL("../test/write-mixed.ts", import.meta.url);
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

const root = mkdtempSync(join(tmpdir(), "processes-bench-"));
try {
  await run("directory", join(root, "memory"));
  const server = process.env["DISPATCH_TEST_POSTGRES_URL"];
  if (server !== undefined) {
    const { url, drop } = await createDatabase(server);
    await run("server", url).finally(drop);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.log(`METRIC memory.lost_updates ${lostInAll} writes`);
