import type { CodeLimits } from "../code-limits.ts";
import type { CodeCall } from "../code-outcome.ts";
import type { CallTool } from "../code-runtime.ts";
import { hostMessage } from "./host-message.ts";

/** What a {@link CallDesk} needs of its surroundings. */
export interface CallDeskOptions {
  /** Answers a call. */
  readonly callTool: CallTool;
  /** The limits that concern calls. */
  readonly limits: Pick<CodeLimits, "calls" | "inFlight" | "frameBytes">;
  /** Sends an answer; `sent` is called when it has left. */
  send(json: string, sent: () => void): void;
  /** Hears whether calls wait for their turn: nothing more should be read meanwhile. */
  onBacklog(full: boolean): void;
  /** Hears whether any call is unanswered. */
  onPending(pending: boolean): void;
}

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly params: unknown;
  readonly startedAt: number;
  status: CodeCall["status"];
  endedAt: number | undefined;
}

/** How long cancelled calls get to end, so that their records come before that of the execution, in milliseconds. */
const GRACE_MS = 250;
const MAX_NAME = 200;
const MAX_ERROR = 100_000;

/** Takes a program's tool calls: counts them, lets a few run at a time, answers each. Never throws. */
export class CallDesk {
  readonly #options: CallDeskOptions;
  readonly #controller = new AbortController();
  readonly #entries: Entry[] = [];
  readonly #backlog: Entry[] = [];
  readonly #running = new Set<Promise<void>>();
  #inFlight = 0;
  #unanswered = 0;
  #closed = false;

  constructor(options: CallDeskOptions) {
    this.#options = options;
  }

  /** Takes a call. `false` when it is one too many. */
  request(id: number, name: string, params: unknown): boolean {
    if (this.#closed) return true;
    if (this.#entries.length >= this.#options.limits.calls) return false;
    const entry: Entry = { id, name, params, startedAt: performance.now(), status: "abandoned", endedAt: undefined };
    this.#entries.push(entry);
    this.#unanswered += 1;
    if (this.#unanswered === 1) this.#options.onPending(true);
    if (this.#inFlight < this.#options.limits.inFlight) this.#start(entry);
    else {
      this.#backlog.push(entry);
      if (this.#backlog.length === 1) this.#options.onBacklog(true);
    }
    return true;
  }

  /** Cancels what is unanswered and answers nothing any more. Resolves when the calls have ended, or soon after. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#controller.abort(new Error("The program has ended"));
    if (this.#running.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise((resolve) => (timer = setTimeout(resolve, GRACE_MS)));
    await Promise.race([Promise.all(this.#running), grace]);
    clearTimeout(timer);
  }

  /** All calls so far, in the order of the requests. */
  calls(): readonly CodeCall[] {
    const now = performance.now();
    return this.#entries.map(({ name, status, startedAt, endedAt }) => ({
      name: name.slice(0, MAX_NAME),
      status,
      durationMs: (endedAt ?? now) - startedAt,
    }));
  }

  #start(entry: Entry): void {
    this.#inFlight += 1;
    const running = this.#answer(entry).then((json) => {
      this.#running.delete(running);
      if (this.#closed) return;
      this.#unanswered -= 1;
      if (this.#unanswered === 0) this.#options.onPending(false);
      // A call counts until its answer has left: a program that reads none must not fill the host's memory.
      this.#options.send(json, () => this.#next());
    });
    this.#running.add(running);
  }

  #next(): void {
    this.#inFlight -= 1;
    const entry = this.#closed ? undefined : this.#backlog.shift();
    if (entry === undefined) return;
    if (this.#backlog.length === 0) this.#options.onBacklog(false);
    this.#start(entry);
  }

  async #answer(entry: Entry): Promise<string> {
    const { id, name, params } = entry;
    const { callTool, limits } = this.#options;
    let json: string;
    let status: CodeCall["status"] = "succeeded";
    try {
      const value = await callTool(name, params, { signal: this.#controller.signal });
      json = hostMessage({ t: "result", id, value });
      const size = Buffer.byteLength(json);
      if (size > limits.frameBytes) {
        throw new RangeError(
          `Calling ${name.slice(0, MAX_NAME)}: its result has ${size} bytes, allowed are ${limits.frameBytes}. Ask it for less`,
        );
      }
    } catch (error) {
      status = "failed";
      json = hostMessage({ t: "error", id, message: messageOf(error) });
    }
    if (!this.#closed) {
      entry.status = status;
      entry.endedAt = performance.now();
    }
    return json;
  }
}

function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, MAX_ERROR);
  } catch {
    return "The tool failed without saying why";
  }
}
