import { checkOptions } from "../../error/check-options.ts";
import type { JsonValue } from "../../json/json-snapshot.ts";
import { awaitAnswer } from "../await-answer.ts";
import { fromColumn } from "../column-text.ts";
import type { DurableEngine, DurableStep, DurableWorker, FoundStep, StepEnd } from "../durable-engine.ts";
import { DurableError } from "../durable-error.ts";
import { toEntryRow } from "../entry-row.ts";
import { stoppedWaiting, unlessAborted } from "../unless-aborted.ts";
import { WakeSet } from "../wake-set.ts";
import { RestateClient } from "./restate-client.ts";
import { OBJECTS, OPEN_KEY, type OpenWork, type Taken } from "./restate-messages.ts";
import { RestateTranscript } from "./restate-transcript.ts";
import { RestateWaits } from "./restate-waits.ts";

/** Options of `openRestateEngine`. */
export interface RestateEngineOptions {
  /** Restate's ingress, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Sent with each request, such as the authorization of Restate Cloud. Default none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a process may be silent before it counts as dead, in milliseconds. Default 10,000. */
  readonly leaseMs?: number;
}

/** Between two looks at a step that another process has, in milliseconds: doubled from the first to the second. */
const LOOK_MS = [20, 500] as const;
/** Between two looks of a worker for steps, in milliseconds. */
const SEARCH_MS = 200;

/**
 * Keeps calls in Restate, for many processes on many machines. Its server has to know the objects of `restateServices`.
 * A process whose lease ended counts as dead, and takes no step afterwards.
 *
 * @throws {DurableError} When the server does not answer, or does not know the objects.
 *
 * @example
 * ```ts
 * const durable = createDurable(await openRestateEngine({ url: "http://127.0.0.1:8080" }));
 * ```
 */
export async function openRestateEngine(options: RestateEngineOptions): Promise<DurableEngine> {
  checkOptions("open the calls", options, { url: true, headers: true, leaseMs: true });
  const engine = new RestateEngine(options);
  await engine.start();
  return engine;
}

class RestateEngine implements DurableEngine {
  readonly name = "restate";
  readonly #client: RestateClient;
  readonly #worker = crypto.randomUUID();
  readonly #leaseMs: number;
  readonly #waits: RestateWaits;
  readonly #wakes = new WakeSet();
  readonly #running = new Map<string, Promise<JsonValue>>();
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor({ url, headers = {}, leaseMs = 10_000 }: RestateEngineOptions) {
    this.#client = new RestateClient(url, headers);
    this.#leaseMs = leaseMs;
    this.#waits = new RestateWaits(this.#client, this.#wakes.notify);
  }

  async start(): Promise<void> {
    await this.#client.call(OBJECTS.worker, this.#worker, "renew", this.#leaseMs);
    this.#renew();
  }

  run(key: string, step: DurableStep): Promise<JsonValue> {
    const known = this.#running.get(key);
    if (known !== undefined) return unlessAborted(known, step.signal);
    const done = this.#runOnce(key, step).finally(() => this.#running.delete(key));
    this.#running.set(key, done);
    return unlessAborted(done, step.signal);
  }

  async find(key: string): Promise<FoundStep | undefined> {
    return ((await this.#client.call(OBJECTS.step, key, "find")) as FoundStep | null) ?? undefined;
  }

  async submit(key: string, intent: JsonValue): Promise<void> {
    await this.#client.call(OBJECTS.step, key, "submit", { intent, now: Date.now() });
    this.#wakes.notify();
  }

  serve(worker: DurableWorker): () => Promise<void> {
    const active = new Map<string, Promise<void>>();
    const stopped = new AbortController();
    const looking = (async () => {
      while (!stopped.signal.aborted) {
        await this.#give(worker, active).catch(() => undefined);
        await this.#wakes.next(SEARCH_MS, stopped.signal);
      }
    })();
    return async () => {
      stopped.abort();
      await looking;
      await Promise.all(active.values());
    };
  }

  wait: DurableEngine["wait"] = (key, wait) => awaitAnswer(this.#waits, this.#wakes, key, wait);

  signal: DurableEngine["signal"] = (key, answer) => this.#waits.answer(key, answer);

  async list(): ReturnType<DurableEngine["list"]> {
    const { steps, waits } = await this.#open();
    const found = await Promise.all(
      steps.map(async ({ key, intent, since }) => ({ key, intent, since, found: await this.find(key) })),
    );
    const open = found.flatMap(({ found: step, ...listed }) =>
      step === undefined || step.state === "done" ? [] : [{ ...listed, state: step.state }],
    );
    return { steps: open, waits: this.#waits.toOpen(waits) };
  }

  transcript(session: string): RestateTranscript {
    return new RestateTranscript(this.#client, session);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#renewal);
    await Promise.allSettled(this.#running.values());
    // Others take over what is open; without this, when the lease has ended.
    await this.#client.call(OBJECTS.worker, this.#worker, "leave").catch(() => undefined);
  }

  async #runOnce(key: string, { intent, work, notBegun = null, signal }: DurableStep): Promise<JsonValue> {
    const token = `${this.#worker} ${crypto.randomUUID()}`;
    const [first, longest] = LOOK_MS;
    for (let pause: number = first; ; pause = Math.min(pause * 2, longest)) {
      let taken: Taken;
      try {
        taken = await this.#take(key, intent, token, true);
      } catch (error) {
        // The message may still arrive: then the step has begun, and nobody does it.
        void this.#end(key, token, { result: notBegun }).catch(() => undefined);
        throw error;
      }
      if (taken.state === "done") return taken.result;
      if (taken.state === "mine") return await this.#do(key, token, await work(taken.again));
      if (signal?.aborted) throw stoppedWaiting();
      await this.#wakes.next(pause, signal);
    }
  }

  /** Records the end. Another process's result counts if this one was taken for dead. */
  async #do(key: string, token: string, end: StepEnd): Promise<JsonValue> {
    const recorded = await this.#end(key, token, end);
    this.#wakes.notify();
    if (recorded.state === "done" && JSON.stringify(recorded.result) !== JSON.stringify(end.result))
      return recorded.result;
    if (recorded.state === "done") return end.result;
    // Another process has the step, because this one was silent too long: its result is the one that counts.
    for (;;) {
      const found = await this.find(key);
      if (found?.state === "done") return found.result ?? null;
      if (this.#isClosed) throw new DurableError("Cannot record the step: another process has it");
      await this.#wakes.next(LOOK_MS[1]);
    }
  }

  async #end(key: string, token: string, { result, entry }: StepEnd): Promise<Taken> {
    const row = entry && toEntryRow(entry.session, entry.entry);
    return (await this.#client.call(OBJECTS.step, key, "end", { token, result, row })) as Taken;
  }

  async #take(key: string, intent: JsonValue, token: string, begins: boolean): Promise<Taken> {
    const take = { intent, worker: this.#worker, token, begins, now: Date.now() };
    return (await this.#client.call(OBJECTS.step, key, "take", take)) as Taken;
  }

  /** Gives a worker the steps that nobody has. */
  async #give(worker: DurableWorker, active: Map<string, Promise<void>>): Promise<void> {
    const { maxConcurrency = 8 } = worker;
    if (active.size >= maxConcurrency) return;
    const dead = new Map<string | undefined, boolean>([[undefined, true]]);
    const { steps } = await this.#open();
    for (const { key, intent, worker: owner } of steps.toSorted((a, b) => a.since - b.since)) {
      if (active.size >= maxConcurrency) return;
      if (active.has(key) || this.#running.has(key) || !worker.accepts(intent)) continue;
      if (!dead.has(owner)) dead.set(owner, (await this.#client.call(OBJECTS.worker, owner!, "isDead")) === true);
      if (dead.get(owner) !== true) continue;
      const token = `${this.#worker} ${crypto.randomUUID()}`;
      if ((await this.#take(key, intent, token, false)).state !== "mine") continue;
      const handled = worker
        .handle(key, intent)
        .then(() => this.#client.call(OBJECTS.step, key, "release", this.#worker))
        .catch(() => undefined)
        .finally(() => {
          active.delete(key);
          this.#wakes.notify();
        });
      active.set(
        key,
        handled.then(() => undefined),
      );
    }
  }

  async #open(): Promise<OpenWork> {
    const { steps, waits } = (await this.#client.call(OBJECTS.open, OPEN_KEY, "all")) as OpenWork;
    const named = <Listed extends { readonly key: string }>(listed: Listed): Listed => ({
      ...listed,
      key: fromColumn(listed.key),
    });
    return { steps: steps.map(named), waits: waits.map(named) };
  }

  #renew(): void {
    this.#renewal = setTimeout(() => {
      if (this.#isClosed) return;
      this.#client
        .call(OBJECTS.worker, this.#worker, "renew", this.#leaseMs)
        .catch(() => undefined)
        .finally(() => this.#renew());
    }, this.#leaseMs / 4);
    this.#renewal.unref();
  }
}

export { restateServices } from "./restate-services.ts";
