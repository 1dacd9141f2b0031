import { keptBytes, textBytes } from "@dispatch/tools-interface/internal";
import type { CodeLimits } from "../code-limits.ts";
import type { CodeCall } from "../code-outcome.ts";
import type { CallTool } from "../code-runtime.ts";
import { hostMessage } from "./host-message.ts";

/** Dependencies of a {@link ToolCallHandler}. */
export interface ToolCallHandlerOptions {
  readonly callTool: CallTool;
  readonly limits: Pick<CodeLimits, "calls" | "maxConcurrency" | "frameBytes" | "hostMb">;
  /** Sends an answer; `sent` is called when it has left. */
  send(json: string, sent: () => void): void;
  /** Called when what the host keeps of the program takes more than `hostMb`: it has to end. */
  onFull(): void;
  /** Called when the first call becomes pending, and when the last one is answered. */
  onPending(pending: boolean): void;
}

/** The record of a call, without its parameters, which are released when it is answered. */
interface CallRecord {
  readonly name: string;
  readonly startedAt: number;
  status: CodeCall["status"];
  endedAt: number | undefined;
}

interface Call {
  readonly id: number;
  readonly params: unknown;
  readonly record: CallRecord;
}

/** Time that cancelled calls get to end, so that their records precede that of the execution. */
const GRACE_MS = 250;
/** Of the record and the transcript entry of a call, beside its name, parameters and result, in bytes. */
const CALL_BYTES = 1_024;
const MIB = 1024 * 1024;
const MAX_ERROR_CHARS = 100_000;
const MAX_CODE_CHARS = 100;

/** Handles a program's tool calls: counts them, runs up to `maxConcurrency` at a time, answers each. Never throws. */
export class ToolCallHandler {
  readonly #options: ToolCallHandlerOptions;
  readonly #controller = new AbortController();
  readonly #records: CallRecord[] = [];
  readonly #queue: Call[] = [];
  /** Calls that run. */
  #running = 0;
  /** Calls that run, or whose answer has not left: a program that reads no answers must not fill the host's memory. */
  #active = 0;
  #unanswered = 0;
  #onIdle: () => void = () => undefined;
  #closed = false;
  /** Whether a call was started in this turn of the event loop. */
  #hasStarted = false;
  /** Bytes that the host may still keep of the program. */
  #bytesLeft: number;

  constructor(options: ToolCallHandlerOptions) {
    this.#options = options;
    this.#bytesLeft = options.limits.hostMb * MIB;
  }

  /** Counts bytes of memory that the host keeps of the program. Returns `false`, and calls `onFull`, beyond `hostMb`. */
  keep(bytes: number): boolean {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft >= 0) return true;
    this.#options.onFull();
    return false;
  }

  /** Accepts a call. Returns `false` when it exceeds the `calls` limit. */
  handle(id: number, name: string, params: unknown): boolean {
    if (this.#closed) return true;
    if (this.#records.length >= this.#options.limits.calls) return false;
    if (!this.keep(CALL_BYTES + textBytes(name) + keptBytes(params, this.#bytesLeft))) return true;
    const record: CallRecord = { name, startedAt: performance.now(), status: "abandoned", endedAt: undefined };
    this.#records.push(record);
    this.#unanswered += 1;
    if (this.#unanswered === 1) this.#options.onPending(true);
    this.#queue.push({ id, params, record });
    this.#startNext();
    return true;
  }

  /** Cancels the unanswered calls and answers none any more. Resolves when they have ended, or after `GRACE_MS`. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#controller.abort(new Error("The program has ended"));
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GRACE_MS);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** All calls so far, in the order of the requests. */
  calls(): readonly CodeCall[] {
    const now = performance.now();
    return this.#records.map(({ name, status, startedAt, endedAt }) => ({
      name,
      status,
      durationMs: (endedAt ?? now) - startedAt,
    }));
  }

  /**
   * Starts a queued call, if one may run, and others in later turns of the event loop: large results of many calls that
   * end in one turn would be in memory together before the first is counted.
   */
  #startNext(): void {
    const { maxConcurrency } = this.#options.limits;
    if (this.#hasStarted || this.#closed || this.#active >= maxConcurrency) return;
    const call = this.#queue.shift();
    if (call === undefined) return;
    this.#hasStarted = true;
    setImmediate(() => {
      this.#hasStarted = false;
      this.#startNext();
    });
    void this.#answer(call);
  }

  async #answer({ id, params, record }: Call): Promise<void> {
    this.#active += 1;
    this.#running += 1;
    const { status, json } = await this.#run(id, record.name, params);
    this.#running -= 1;
    if (this.#closed) {
      if (this.#running === 0) this.#onIdle();
      return;
    }
    record.status = status;
    record.endedAt = performance.now();
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.#options.onPending(false);
    this.#options.send(json, () => {
      this.#active -= 1;
      this.#startNext();
    });
  }

  async #run(id: number, name: string, params: unknown) {
    const { callTool, limits } = this.#options;
    let isCounted = false;
    const keep = (bytes: number): boolean => {
      isCounted = true;
      return this.keep(bytes);
    };
    try {
      const value = await callTool(name, params, { signal: this.#controller.signal, keep });
      const json = hostMessage({ t: "result", id, value });
      // UTF-8 takes at most three bytes for a UTF-16 unit.
      const bytes = json.length * 3 > limits.frameBytes ? Buffer.byteLength(json) : 0;
      if (!isCounted) this.keep(textBytes(json));
      if (bytes <= limits.frameBytes) return { status: "succeeded", json } as const;
      throw new RangeError(
        `Calling ${name}: its result has ${bytes} bytes, allowed are ${limits.frameBytes}. Ask it for less`,
      );
    } catch (error) {
      const json = hostMessage({ t: "error", id, message: messageOf(error), ...codeOf(error) });
      return { status: "failed", json } as const;
    }
  }
}

function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, MAX_ERROR_CHARS);
  } catch {
    return "The tool failed without saying why";
  }
}

function codeOf(error: unknown): { readonly code?: string } {
  try {
    const code: unknown = (error as { readonly code?: unknown }).code;
    return typeof code === "string" ? { code: code.slice(0, MAX_CODE_CHARS) } : {};
  } catch {
    return {};
  }
}
