import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import {
  CLOCK,
  FIRST,
  FIRST_WORK,
  JOB,
  KILLED,
  LENGTH,
  OUTCOME,
  OUTCOMES,
  SEEN,
  STRIDE,
  TURN,
  type FirstWork,
  type Outcome,
  type ScheduleData,
} from "./schedule-state.ts";

/** What happens in a schedule. */
export interface ScheduleOptions {
  /** Default: it edits, as all others do. */
  readonly first?: FirstWork;
  /** Chance at each call that its writer is stopped for a while, in which more than two seconds go by. Default 0. */
  readonly stops?: number;
  /** Chance at each call that its writer is killed. Default 0. */
  readonly kills?: number;
}

/** Writers in threads that take turns at each call of the file system, in an order that a seed decides. */
export class ScheduledWriters {
  readonly #state: Int32Array;
  readonly #home: string;
  readonly #threads: readonly Worker[];

  private constructor(shared: SharedArrayBuffer, home: string, threads: readonly Worker[]) {
    this.#state = new Int32Array(shared);
    this.#home = home;
    this.#threads = threads;
  }

  /** Starts writers, up to 9, that work in directories below `home`. */
  static async start(home: string, count: number): Promise<ScheduledWriters> {
    const shared = new SharedArrayBuffer(4 * LENGTH);
    const program = new URL("./scheduled-writer.ts", import.meta.url);
    const threads = Array.from({ length: count }, (_, index) => {
      const workerData: ScheduleData = { shared, index, home };
      return new Worker(program, { workerData, execArgv: ["--conditions=@dispatch/source", "--no-warnings"] });
    });
    await Promise.all(threads.map((thread) => once(thread, "online")));
    return new ScheduledWriters(shared, home, threads);
  }

  /**
   * Runs one schedule in a new directory, in whose file `a.txt` each writer counts up its own digit.
   *
   * @returns Problems: an acknowledged edit that is not in the file exactly once, or a refused one that is.
   */
  run(seed: number, options: ScheduleOptions = {}): { readonly root: string; readonly wrong: readonly string[] } {
    const { first = "edit", stops = 0, kills = 0 } = options;
    const state = this.#state;
    const random = randomOf(seed);
    const writers = [...this.#threads.keys()];
    const job = Atomics.load(state, JOB) + 1;
    const root = join(this.#home, String(job));
    fs.mkdirSync(root);
    fs.writeFileSync(join(root, "a.txt"), "0".repeat(writers.length));
    for (const writer of writers) this.#wait(writer);
    state.fill(0, CLOCK);
    state[JOB] = job;
    state[FIRST] = FIRST_WORK.indexOf(first);
    const running = new Set(writers);
    for (const writer of writers) {
      state[writer * STRIDE + KILLED] = 0;
      this.#go(writer);
    }
    const asleep = new Map<number, number>();
    for (let step = 0; running.size > 0; step += 1) {
      let awake = [...running].filter((writer) => (asleep.get(writer) ?? 0) <= step);
      if (awake.length === 0) awake = [...running];
      const writer = awake[Math.floor(random() * awake.length)]!;
      if (random() < stops) {
        asleep.set(writer, step + Math.floor(random() * 120));
        Atomics.add(state, CLOCK, 2500);
      } else {
        if (random() < kills) state[writer * STRIDE + KILLED] = 1;
        if (this.#go(writer) === 2) running.delete(writer);
      }
    }
    return { root, wrong: this.#problems(root, first) };
  }

  #problems(root: string, first: FirstWork): readonly string[] {
    const outcomes = [...this.#threads.keys()].map((writer) => OUTCOMES[this.#state[writer * STRIDE + OUTCOME]!]!);
    const files = fs.readdirSync(root).filter((name) => !name.startsWith("."));
    const expected = { edit: ["a.txt"], move: ["b.txt"], delete: [] }[outcomes[0] === "done" ? first : "edit"];
    const wrong: string[] = [];
    // A writer that is killed in the middle of a move may leave both names.
    if (outcomes[0] !== "killed" && files.join() !== expected.join())
      wrong.push(`there are ${files.join() || "no files"}`);
    const seen = String(this.#state[SEEN]).padStart(outcomes.length, "0");
    const marks = files.length === 0 ? [seen] : files.map((name) => fs.readFileSync(join(root, name), "latin1"));
    for (const [writer, outcome] of outcomes.entries()) {
      if (writer === 0 && first !== "edit") continue;
      const times = Math.max(...marks.map((text) => Number(text[writer])));
      const allowed: Record<Outcome, readonly number[]> = { done: [1], refused: [0], killed: [0, 1] };
      if (!allowed[outcome].includes(times)) wrong.push(`${writer} was ${outcome}, and is there ${times} times`);
    }
    return wrong;
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  /** Lets a writer go on to its next call. */
  #go(writer: number): number {
    Atomics.store(this.#state, writer * STRIDE + TURN, 0);
    Atomics.notify(this.#state, writer * STRIDE + TURN);
    return this.#wait(writer);
  }

  #wait(writer: number): number {
    Atomics.wait(this.#state, writer * STRIDE + TURN, 0);
    return Atomics.load(this.#state, writer * STRIDE + TURN);
  }
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function randomOf(seed: number): () => number {
  let at = seed;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
