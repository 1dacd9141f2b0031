import type { CodeLimits } from "../../code-limits.ts";
import type { CodeCall } from "../../code-outcome.ts";
import type { CallTool } from "../../code-runtime.ts";
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

/** What is kept of a call; its parameters are let go of when it is answered. */
interface Entry {
  readonly name: string;
  readonly startedAt: number;
  status: CodeCall["status"];
  endedAt: number | undefined;
}

interface Call {
  readonly id: number;
  readonly params: unknown;
  readonly entry: Entry;
}

/** How long cancelled calls get to end, so that their records come before that of the execution, in milliseconds. */
const GRACE_MS = 250;
const MAX_NAME = 200;
const MAX_ERROR = 100_000;
const MAX_CODE = 100;

/** Takes a program's tool calls: counts them, lets a few run at a time, answers each. Never throws. */
export class CallDesk {
  readonly #options: CallDeskOptions;
  readonly #controller = new AbortController();
  readonly #entries: Entry[] = [];
  readonly #backlog: Call[] = [];
  #running = 0;
  /** Told when none runs any more. */
  #idle: () => void = () => undefined;
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
    const entry: Entry = { name, startedAt: performance.now(), status: "abandoned", endedAt: undefined };
    this.#entries.push(entry);
    this.#unanswered += 1;
    if (this.#unanswered === 1) this.#options.onPending(true);
    const { inFlight } = this.#options.limits;
    if (this.#inFlight < inFlight) this.#start({ id, params, entry });
    else {
      this.#backlog.push({ id, params, entry });
      // The harness sends no more than it may have unanswered, and has read answers before this has heard that they
      // left: only a program that goes past it comes here. Stopping one that did not could stop it from reading.
      if (this.#backlog.length > inFlight) this.#options.onBacklog(true);
    }
    return true;
  }

  /** Cancels what is unanswered and answers nothing any more. Resolves when the calls have ended, or soon after. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#controller.abort(new Error("The program has ended"));
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GRACE_MS);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
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

  #start(call: Call): void {
    this.#inFlight += 1;
    this.#running += 1;
    void this.#answer(call);
  }

  #next(): void {
    this.#inFlight -= 1;
    const call = this.#closed ? undefined : this.#backlog.shift();
    if (call === undefined) return;
    if (this.#backlog.length === this.#options.limits.inFlight) this.#options.onBacklog(false);
    this.#start(call);
  }

  async #answer({ id, params, entry }: Call): Promise<void> {
    const { name } = entry;
    const { callTool, limits } = this.#options;
    let json: string;
    let status: CodeCall["status"] = "succeeded";
    try {
      const value = await callTool(name, params, { signal: this.#controller.signal });
      json = hostMessage({ t: "result", id, value });
      // A character has at most three bytes for each of its units.
      const size = json.length * 3 > limits.frameBytes ? Buffer.byteLength(json) : 0;
      if (size > limits.frameBytes) {
        throw new RangeError(
          `Calling ${name.slice(0, MAX_NAME)}: its result has ${size} bytes, allowed are ${limits.frameBytes}. Ask it for less`,
        );
      }
    } catch (error) {
      status = "failed";
      json = hostMessage({ t: "error", id, message: messageOf(error), ...codeOf(error) });
    }
    this.#running -= 1;
    if (this.#closed) {
      if (this.#running === 0) this.#idle();
      return;
    }
    entry.status = status;
    entry.endedAt = performance.now();
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.#options.onPending(false);
    // A call counts until its answer has left: a program that reads none must not fill the host's memory.
    this.#options.send(json, () => this.#next());
  }
}

function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, MAX_ERROR);
  } catch {
    return "The tool failed without saying why";
  }
}

function codeOf(error: unknown): { readonly code?: string } {
  try {
    const code: unknown = (error as { readonly code?: unknown }).code;
    return typeof code === "string" ? { code: code.slice(0, MAX_CODE) } : {};
  } catch {
    return {};
  }
}
