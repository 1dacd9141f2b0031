// A writer that stops before each call of the file system until it is given the turn: a thread of `scheduled-writers.ts`.
import fs, { type BigIntStats } from "node:fs";
import { workerData } from "node:worker_threads";
import { FileNotFoundError } from "../src/error/files-error.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import type { Sandbox } from "../src/sandbox/sandbox.ts";
import {
  changeTime,
  CLOCK,
  FIRST,
  FIRST_WORK,
  JOB,
  KILLED,
  OUTCOME,
  type Outcome,
  OUTCOMES,
  type ScheduleData,
  SEEN,
  STRIDE,
  TURN,
} from "./schedule-state.ts";

const { shared, index, home } = workerData as ScheduleData;
const state = new Int32Array(shared);
const own = index * STRIDE;

class Killed extends Error {}

/** Waits for the turn. Once the writer is killed, no call does anything any more, those of its cleaning up among them. */
function turn(): void {
  if (Atomics.load(state, own + KILLED) === 0) rest(1);
  if (Atomics.load(state, own + KILLED) === 1) throw new Killed();
}

function rest(kind: 1 | 2): void {
  Atomics.store(state, own + TURN, kind);
  Atomics.notify(state, own + TURN);
  Atomics.wait(state, own + TURN, kind);
}

const { lstatSync } = fs;

/** Notes that a file was changed at the schedule's time. */
function touch(path: unknown): void {
  const stats = lstatSync(path as string, { bigint: true, throwIfNoEntry: false });
  if (stats !== undefined) Atomics.store(state, changeTime(stats.ino), Atomics.load(state, CLOCK));
}

type Call = (...args: unknown[]) => unknown;
const system = fs as unknown as Record<string, Call>;
const STEPS =
  "openSync writeSync readFileSync opendirSync linkSync renameSync unlinkSync mkdirSync rmdirSync fchmodSync".split(
    " ",
  );
for (const name of STEPS) {
  const call = system[name]!;
  system[name] = (...args) => {
    turn();
    const [path, target] = args;
    if (["renameSync", "unlinkSync", "linkSync"].includes(name)) touch(path);
    if (name === "renameSync") touch(target);
    const result = call(...args);
    if (name === "openSync") touch(path);
    return result;
  };
}
for (const name of ["lstatSync", "fstatSync"]) {
  const call = system[name]!;
  system[name] = (...args) => {
    if (name === "lstatSync") turn();
    const stats = call(...args) as BigIntStats | undefined;
    if (typeof stats?.ino === "bigint")
      stats.ctimeNs += BigInt(Atomics.load(state, changeTime(stats.ino))) * 1_000_000n;
    return stats;
  };
}
const [now, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)];
Date.now = () => now() + Atomics.load(state, CLOCK);
performance.now = () => monotonic() + Atomics.load(state, CLOCK);

for (;;) {
  rest(2);
  const outcome = attempt(`${home}/${Atomics.load(state, JOB)}`);
  Atomics.store(state, own + OUTCOME, OUTCOMES.indexOf(outcome));
}

function attempt(root: string): Outcome {
  let sandbox: Sandbox | undefined;
  try {
    sandbox = openSandbox(root);
    const first = FIRST_WORK[index === 0 ? Atomics.load(state, FIRST) : 0];
    if (first === "move") sandbox.movePath("a.txt", "b.txt");
    else if (first === "delete")
      sandbox.removePath("a.txt", (bytes) => Atomics.store(state, own + SEEN, Number(bytes)));
    else edit(sandbox);
    return "done";
  } catch (error) {
    return error instanceof Killed ? "killed" : "refused";
  } finally {
    sandbox?.close();
  }
}

/** Counts up the writer's digit. The file stays as long as it was: only its inode and times tell its versions apart. */
function edit(sandbox: Sandbox): void {
  const count = (bytes: Buffer) => bytes.fill(bytes[index]! + 1, index, index + 1);
  try {
    sandbox.changeFile("a.txt", 1000, count);
  } catch (error) {
    if (!(error instanceof FileNotFoundError)) throw error;
    sandbox.changeFile("b.txt", 1000, count);
  }
}
