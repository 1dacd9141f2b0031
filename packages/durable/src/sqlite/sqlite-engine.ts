import { resolve } from "node:path";
import type { JsonValue } from "@dispatch/tools-interface";
import { unlessAborted } from "@dispatch/tools-interface/internal";
import { awaitAnswer } from "../await-answer.ts";
import type { DurableEngine, DurableStep, DurableWorker, StepEnd } from "../durable-engine.ts";
import { stoppedWaiting } from "../durable-error.ts";
import { toEntryRow, type EntryRow } from "../entry-row.ts";
import { Ledger } from "./ledger.ts";
import { SqliteTranscript } from "./sqlite-transcript.ts";
import { Steps } from "./steps.ts";
import { Waits } from "./waits.ts";
import { WakeUp } from "./wake-up.ts";
import { Workers } from "./workers.ts";

/** Between two looks at whether a process that is waited for still lives, in milliseconds. */
const ALIVE_MS = 500;
/** Between two tries to record a result that could not be recorded, in milliseconds. */
const RETRY_MS = 1_000;
/** Between two tries to do a step that could not be done yet, in milliseconds. */
const AGAIN_MS = 1_000;

/**
 * Keeps calls in one file, for the processes of one machine: a ledger of intents and results, and no server. Needs Node
 * 22.13. The file must be on a local disk, because the locks of network file systems cannot be relied on.
 *
 * @throws {DurableError} When the file cannot be used.
 *
 * @example
 * ```ts
 * const durable = createDurable(await openSqliteEngine("calls.db"));
 * ```
 */
export async function openSqliteEngine(file: string): Promise<DurableEngine> {
  const path = resolve(file);
  const ledger = await Ledger.open(path);
  try {
    return new SqliteEngine(ledger, await Workers.join(ledger, path));
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

class SqliteEngine implements DurableEngine {
  readonly name = "sqlite";
  readonly #ledger: Ledger;
  readonly #workers: Workers;
  readonly #steps: Steps;
  readonly #waits: Waits;
  readonly #wakeUp: WakeUp;
  /** The steps that this process does. */
  readonly #running = new Map<string, Promise<JsonValue>>();
  /** The work that this process does: until it ends, no other process may take this one for dead. */
  readonly #working = new Set<Promise<unknown>>();
  /** Results that could not be recorded yet. */
  readonly #unrecorded = new Map<string, JsonValue>();
  readonly #closing = new AbortController();

  constructor(ledger: Ledger, workers: Workers) {
    this.#ledger = ledger;
    this.#workers = workers;
    this.#steps = new Steps(ledger, workers);
    this.#wakeUp = new WakeUp(() => ledger.dataVersion);
    this.#waits = new Waits(ledger);
    ledger.onCommit = this.#wakeUp.notify;
  }

  async run(key: string, step: DurableStep): Promise<JsonValue> {
    const running = this.#running.get(key);
    if (running !== undefined) return unlessAborted(running, step.signal, stoppedWaiting);
    const unrecorded = this.#unrecorded.get(key);
    if (unrecorded !== undefined) return unrecorded;
    const done = this.#runOnce(key, step).finally(() => this.#running.delete(key));
    this.#running.set(key, done);
    return done;
  }

  find: DurableEngine["find"] = (key) => this.#steps.find(key);

  submit(key: string, intent: JsonValue): Promise<void> {
    return this.#steps.submit(key, JSON.stringify(intent));
  }

  serve(worker: DurableWorker): () => Promise<void> {
    const { maxConcurrency = 8 } = worker;
    const stop = new AbortController();
    const active = new Map<string, Promise<void>>();
    /** Steps that could not be done yet, with the time before which they are not tried again. */
    const later = new Map<string, number>();
    const isWanted = (key: string, intent: JsonValue): boolean =>
      !active.has(key) && !((later.get(key) ?? 0) > performance.now()) && worker.accepts(intent);
    const handle = async (key: string, intent: JsonValue): Promise<void> => {
      later.delete(key);
      await worker.handle(key, intent);
      if ((await this.#steps.find(key))?.state === "done") return;
      later.set(key, performance.now() + AGAIN_MS);
      await this.#steps.release(key);
    };
    const loop = async (): Promise<void> => {
      const both = AbortSignal.any([stop.signal, this.#closing.signal]);
      while (!both.aborted) {
        const free = maxConcurrency - active.size;
        const taken = free > 0 ? await this.#steps.take(free, isWanted).catch(() => []) : [];
        for (const { key, intent } of taken) {
          const doing = handle(key, intent)
            .catch(() => undefined)
            .finally(() => {
              active.delete(key);
              this.#wakeUp.notify();
            });
          active.set(key, doing);
        }
        if (taken.length === 0 || active.size >= maxConcurrency) await this.#wakeUp.next(ALIVE_MS, both);
      }
      await Promise.all(active.values());
    };
    const ended = loop();
    return () => {
      stop.abort();
      return ended;
    };
  }

  wait: DurableEngine["wait"] = (key, wait) => awaitAnswer(this.#waits, this.#wakeUp, key, wait);

  signal: DurableEngine["signal"] = (key, answer) => this.#waits.answer(key, answer);

  async list(): ReturnType<DurableEngine["list"]> {
    const [steps, waits] = [await this.#steps.open(), await this.#waits.open()];
    return { steps, waits };
  }

  transcript(session: string): SqliteTranscript {
    return new SqliteTranscript(this.#ledger, session);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    while (this.#working.size > 0) await Promise.allSettled(this.#working);
    await this.#ledger.close();
    this.#workers.leave();
  }

  async #runOnce(key: string, step: DurableStep): Promise<JsonValue> {
    const intent = JSON.stringify(step.intent);
    for (;;) {
      const claim = await this.#steps.claim(key, intent);
      if (claim.kind === "done") return JSON.parse(claim.result) as JsonValue;
      if (claim.kind === "mine") {
        const recorded = this.#work(key, claim.fence, step, claim.again);
        this.#working.add(recorded);
        return await recorded.finally(() => this.#working.delete(recorded));
      }
      while (await this.#steps.isHeldBy(key, claim.worker)) {
        await this.#wakeUp.next(ALIVE_MS, step.signal);
        if (step.signal?.aborted) throw stoppedWaiting();
      }
    }
  }

  async #work(key: string, fence: number, step: DurableStep, again: JsonValue | undefined): Promise<JsonValue> {
    return this.#record(key, fence, await step.work(again));
  }

  /** The result that counts: this one, unless another process has taken the step in between. */
  async #record(key: string, fence: number, end: StepEnd): Promise<JsonValue> {
    const text = JSON.stringify(end.result);
    const entry = end.entry && toEntryRow(end.entry.session, end.entry.entry);
    try {
      const recorded = await this.#steps.finish(key, fence, text, entry);
      return recorded === text ? end.result : (JSON.parse(recorded) as JsonValue);
    } catch (error) {
      this.#unrecorded.set(key, end.result);
      this.#recordLater(key, fence, text, entry);
      throw error;
    }
  }

  #recordLater(key: string, fence: number, text: string, entry: EntryRow | undefined): void {
    const timer = setTimeout(() => {
      if (this.#closing.signal.aborted) return;
      this.#steps.finish(key, fence, text, entry).then(
        () => this.#unrecorded.delete(key),
        () => this.#recordLater(key, fence, text, entry),
      );
    }, RETRY_MS);
    timer.unref();
  }
}
