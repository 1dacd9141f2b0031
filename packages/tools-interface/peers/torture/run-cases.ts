import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tortureCases } from "@dispatch/check";
import type { Order, Verdict } from "./verdict.ts";

/** How long a case may keep its process from answering, in milliseconds: the cases themselves give up long before. */
const WALL_MS = 30_000;

/** The results of one case on one system. */
export interface CaseResult {
  /** The topic of the case. */
  readonly topic: string;
  /** The event in it. */
  readonly name: string;
  /** The verdict in a host that catches nothing. */
  readonly verdict: Verdict;
  /** The verdict in a host that catches rejections of calls; the same if nothing rejected. */
  readonly caught: Verdict;
}

/**
 * Runs every case on one system. A case that hangs, crashes or leaves something behind takes its process with it, and
 * the next one starts in a fresh one, so that it counts once.
 */
export async function runCases(peer: string): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  const runner = new CaseRunner(peer);
  for (const { topic, name } of tortureCases) {
    const verdict = await runner.run({ name, catching: false });
    const again = verdict.status === "failed" && verdict.rejected;
    const caught = again ? await runner.run({ name, catching: true }) : verdict;
    results.push({ topic, name, verdict, caught });
  }
  runner.stop();
  return results;
}

class CaseRunner {
  readonly #peer: string;
  #process: ChildProcess | undefined;

  constructor(peer: string) {
    this.#peer = peer;
  }

  async run(order: Order): Promise<Verdict> {
    const child = (this.#process ??= await this.#start());
    const verdict = await answerOf(child, () => child.send(order));
    if (verdict.spoiled) this.stop();
    return verdict;
  }

  stop(): void {
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(new URL("case-process.ts", import.meta.url), [this.#peer], {
      execArgv: ["--conditions=@dispatch/source", "--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    await Promise.race([
      once(child, "message"),
      once(child, "exit").then(() => {
        throw new Error(`Cannot run cases on ${this.#peer}: its process ended at its start`);
      }),
    ]);
    return child;
  }
}

/** Waits for an answer, for the end of the process, or for the end of patience. */
function answerOf(child: ChildProcess, ask: () => void): Promise<Verdict> {
  return new Promise((resolve) => {
    const failed = (reason: string): void => end({ status: "failed", reason, rejected: false, spoiled: true });
    const timer = setTimeout(() => failed(`the process did not answer for ${WALL_MS} ms`), WALL_MS);
    const exited = (code: number | null, signal: string | null): void =>
      failed(`the process ended with ${code ?? signal}`);
    const end = (verdict: Verdict): void => {
      clearTimeout(timer);
      child.off("message", end).off("exit", exited);
      resolve(verdict);
    };
    child.on("message", end).on("exit", exited);
    ask();
  });
}
