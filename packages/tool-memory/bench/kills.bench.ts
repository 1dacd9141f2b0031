import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { checkMixed } from "../test/check-mixed.ts";
import { startChild, type Child } from "../test/child.ts";

/**
 * Three processes write to one directory; at random times one of them is killed and another started. `node kills.bench.ts
 * [ROUNDS]`, by default 200.
 */
const [rounds = "200"] = process.argv.slice(2);
const writeMixed = new URL("../test/write-mixed.ts", import.meta.url);
const root = mkdtempSync(join(tmpdir(), "kills-bench-"));
const url = join(root, "memory");
const all: Child[] = [];
const start = (): Child => {
  const child = startChild(writeMixed, url, `${all.length}`);
  all.push(child);
  return child;
};

try {
  let living = [start(), start(), start()];
  for (const child of living) await child.printed(5);
  for (let round = 0; round < Number(rounds); round++) {
    const victim = living[Math.floor(Math.random() * living.length)];
    victim?.process.kill("SIGKILL");
    await victim?.ended;
    living = [...living.filter((child) => child !== victim), start()];
    await wait(Math.random() * 600);
  }
  for (const child of living) child.process.kill("SIGKILL");
  await Promise.all(all.map(({ ended }) => ended));
  const lines = all.flatMap((child) => child.lines);
  const { lost, found, events } = await checkMixed(url, lines);
  console.log(`${rounds} kills, ${events} events, ${found} acknowledged writes found, ${lost} lost`);
  console.log(`METRIC memory.lost_after_kill ${lost} writes`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
