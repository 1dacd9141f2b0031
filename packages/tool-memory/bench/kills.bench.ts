import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { checkMixed } from "../test/check-mixed.ts";
import { startChild, type Child } from "../test/child.ts";

/**
 * Three processes write to one directory; at random times one of them is killed, in the first rounds always the one that has
 * the directory open, and another started. `node kills.bench.ts [ROUNDS] [OF THEM HOLDERS]`, by default 200 and 50. A takeover
 * is measured from the kill to the next write that any other process is told was made.
 */
const [rounds = "200", holders = "50"] = process.argv.slice(2);
const writeMixed = new URL("../test/write-mixed.ts", import.meta.url);
const root = mkdtempSync(join(tmpdir(), "kills-bench-"));
const url = join(root, "memory");
const all: Child[] = [];
const takeovers: number[] = [];
const start = (): Child => {
  const child = startChild(writeMixed, url, `${all.length}`);
  all.push(child);
  return child;
};

try {
  // In the order in which they came: the first one has the directory open, for nobody takes it but for a write.
  let living = [start(), start(), start()];
  for (const child of living) await child.printed(5);
  for (let round = 0; round < Number(rounds); round++) {
    const isHolder = round < Number(holders);
    const victim = isHolder ? await holderOf(living) : living[Math.floor(Math.random() * living.length)];
    if (victim === undefined) throw new Error("nobody has the directory open");
    living = living.filter((child) => child !== victim);
    const before = living.map(({ lines }) => lines.length);
    const killed = performance.now();
    victim.process.kill("SIGKILL");
    await victim.ended;
    if (isHolder) {
      await Promise.race(living.map((child, at) => child.printed((before[at] ?? 0) + 1)));
      takeovers.push(performance.now() - killed);
    }
    const next = start();
    living.push(next);
    if (isHolder) await next.printed(3);
    else await wait(Math.random() * 600);
  }
  for (const child of living) child.process.kill("SIGKILL");
  await Promise.all(all.map(({ ended }) => ended));
  const lines = all.flatMap((child) => child.lines);
  const { lost, found, events } = await checkMixed(url, lines);
  takeovers.sort((a, b) => a - b);
  const at = (part: number): string => (takeovers[Math.ceil(takeovers.length * part) - 1] ?? Number.NaN).toFixed(0);
  console.log(`${rounds} kills, ${events} events, ${found} acknowledged writes found, ${lost} lost`);
  console.log(`METRIC memory.lost_after_kill ${lost} writes`);
  if (takeovers.length > 0) {
    console.log(`METRIC memory.takeover_p50_ms ${at(0.5)} ms`);
    console.log(`METRIC memory.takeover_p95_ms ${at(0.95)} ms`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** The process that the directory's lock names. */
async function holderOf(children: readonly Child[]): Promise<Child | undefined> {
  for (let tries = 0; tries < 500; tries++) {
    const names = readdirSync(url).filter((name) => name.startsWith("lock."));
    const last = names.toSorted((a, b) => Number(b.slice(5)) - Number(a.slice(5)))[0];
    const text = last === undefined ? "" : readFileSync(join(url, last), "utf8");
    const found = children.find((child) => text.includes(`"pid":${child.process.pid},`));
    if (found !== undefined) return found;
    await wait(10);
  }
  return undefined;
}
