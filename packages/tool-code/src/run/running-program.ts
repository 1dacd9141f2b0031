import { textBytes } from "@dispatch/tools-interface/internal";
import { ToolCallHandler } from "../bridge/tool-call-handler.ts";
import type { CodeLimits } from "../code-limits.ts";
import { notStarted, type CodeError, type CodeErrorKind, type CodeOutcome, type CutValue } from "../code-outcome.ts";
import type { CodeExecution } from "../code-runtime.ts";
import { hostFullError } from "./program-error.ts";
import type { RunPermit } from "./run-permit.ts";
import { TimeBudget } from "./time-budget.ts";

/** Interval of the checks of time and memory. At 25 ms a memory bomb overshoots by about a tenth. */
const WATCH_MS = 25;
/** A check that comes later than this found the event loop blocked. */
const BLOCKED_MS = 100;

/** The part of a program's use of the machine that every runtime can measure. */
interface Usage {
  /** Processor time so far, in milliseconds. */
  readonly cpuMs: number;
  /** Whether the program computes. */
  readonly isRunning?: boolean;
}

/**
 * One program while it runs, without the sandbox around it: applies the limits of time, output and calls, and makes an
 * outcome of every way to end. Each runtime adds its sandbox, and the limits that only this one can measure.
 */
export abstract class RunningProgram<Measured extends Usage> {
  /** Never rejects. */
  readonly outcome: Promise<CodeOutcome>;
  protected readonly execution: CodeExecution;
  protected readonly limits: CodeLimits;
  protected readonly calls: ToolCallHandler;
  readonly #permit: RunPermit;
  readonly #watch: ReturnType<typeof setInterval>;
  readonly #started = performance.now();
  /** A text may hold a byte order mark anywhere. */
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #resolve: (outcome: CodeOutcome) => void = () => undefined;
  #budget: TimeBudget | undefined;
  #isPending = false;
  #lookedAt = performance.now();
  #output = "";
  #outputBytes = 0;
  #truncated = false;
  #ended = false;

  constructor(execution: CodeExecution, limits: CodeLimits, permit: RunPermit) {
    this.execution = execution;
    this.limits = limits;
    this.#permit = permit;
    this.outcome = new Promise((resolve) => (this.#resolve = resolve));
    this.calls = new ToolCallHandler({
      callTool: execution.callTool,
      limits,
      onFull: () => this.fail(hostFullError(limits)),
      send: (json, sent) => permit.whenHeld(() => this.send(json, sent)),
      onPending: (pending) => {
        this.#isPending = pending;
        if (pending) this.#setWaiting();
        else permit.whenHeld(() => this.#setWaiting());
      },
    });
    this.#watch = setInterval(() => this.#look(), WATCH_MS);
    execution.signal?.addEventListener("abort", this.#abort);
  }

  /** Sends the program an answer. `sent` is called when it has left, or cannot leave any more. */
  protected abstract send(json: string, sent: () => void): void;
  /** What the program has used so far. `undefined` where that is unknown. */
  protected abstract usage(): Measured | undefined;
  /** Called while the program has not started. */
  protected onStarting(_elapsedMs: number): void {}
  /** Ends the program if it exceeds a limit of this runtime's own. */
  protected check(_usage: Measured | undefined): void {}
  /** Takes in what the program has printed and is withheld. */
  protected flush(): void {}
  /** Ends the program's process, if it has one. */
  protected kill(): void {}
  /** The limit that a program which has ended turns out to have exceeded. */
  protected async faultAtEnd(): Promise<CodeError | undefined> {
    return undefined;
  }

  /** Whether the outcome is decided. */
  protected get ended(): boolean {
    return this.#ended;
  }

  stop(kind: CodeErrorKind, message: string, hint?: string): void {
    this.fail({ kind, message, stack: [], ...(hint !== undefined && { hint }) });
  }

  /** Ends the program by an error. */
  protected fail(error: CodeError): void {
    void this.end(undefined, error);
  }

  /** The program's time begins. */
  protected startClock(): void {
    this.#budget = new TimeBudget(this.limits, performance.now(), this.usage()?.cpuMs);
  }

  /** Runs a call that the program asks for. */
  protected call({ id, name, params }: { readonly id: number; readonly name: string; readonly params: unknown }): void {
    if (!this.calls.handle(id, name, params))
      this.stop("calls", `the program called more than ${this.limits.calls} tools`);
  }

  /** Takes UTF-8 that the program printed. */
  protected print(bytes: Buffer): void {
    if (this.#ended || !this.calls.keep(bytes.length)) return;
    const left = this.limits.outputBytes - this.#outputBytes;
    this.#outputBytes += bytes.length;
    this.#show(this.#decoder.decode(bytes.subarray(0, left), { stream: true }));
    if (bytes.length <= left) return;
    this.#truncated = true;
    this.stop("output", `the program printed more than ${this.limits.outputBytes} bytes`);
  }

  /** Ends the program where it has used more time than it may. Returns whether it has ended. */
  protected hasTimedOut(now = performance.now(), cpuMs = this.usage()?.cpuMs): boolean {
    if (this.#ended) return true;
    const { wallMs, totalMs, cpuMs: mostCpuMs } = this.limits;
    const overtime = this.#budget?.exceeded(now, cpuMs);
    if (overtime === "cpuMs") this.stop("timeout", `the program used more than ${mostCpuMs} ms of processor time`);
    if (overtime === "wallMs")
      this.stop("timeout", `the program ran longer than ${wallMs} ms, waiting for tools not counted`);
    if (overtime === "totalMs")
      this.stop("timeout", `the program ran longer than ${totalMs} ms, waiting for tools included`);
    return this.#ended;
  }

  /** Decides the outcome. Only the first end counts. */
  protected async end(value: unknown, failed: CodeError | undefined, cut?: CutValue): Promise<void> {
    // Both may exceed a limit, which ends the program.
    if (!this.#ended) this.flush();
    if (!this.#ended && cut?.json !== undefined) this.calls.keep(textBytes(cut.json));
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#watch);
    this.execution.signal?.removeEventListener("abort", this.#abort);
    this.kill();
    // A character that is cut in two is left out.
    if (!this.#truncated) this.#show(this.#decoder.decode());
    const durationMs = this.#budget?.elapsedMs(performance.now()) ?? 0;
    const error = failed ?? this.#tooLong(value) ?? (await this.faultAtEnd());
    await this.calls.close();
    this.#resolve({
      ok: error === undefined,
      value: error === undefined ? value : undefined,
      ...(error === undefined && cut !== undefined && { cut }),
      output: this.#output,
      error,
      calls: this.calls.calls(),
      durationMs,
      truncated: this.#truncated,
    });
  }

  readonly #abort = (): void => this.stop("aborted", "the execution was cancelled");

  #setWaiting(): void {
    this.#budget?.setWaiting(this.#isPending, performance.now());
  }

  #look(): void {
    if (this.#ended) return;
    const now = performance.now();
    const sinceLast = now - this.#lookedAt;
    this.#lookedAt = now;
    if (sinceLast > WATCH_MS + BLOCKED_MS) {
      this.#budget?.skip(now, this.usage()?.cpuMs);
      // Messages that the program has sent meanwhile are read first.
      setImmediate(() => this.#look());
      return;
    }
    if (this.#budget === undefined) return this.onStarting(now - this.#started);
    const usage = this.usage();
    this.check(usage);
    if (this.#ended) return;
    // On a busy machine a program that computes may get no processor for long.
    this.#permit.look(this.#isPending && usage?.isRunning !== true, now, usage?.cpuMs ?? 0);
    this.hasTimedOut(now, usage?.cpuMs);
  }

  #show(text: string): void {
    if (text === "") return;
    this.#output += text;
    try {
      this.execution.onOutput?.(text);
    } catch {
      // An error of the listener is not the program's.
    }
  }

  /** The program's end of the bridge checks this too, but it runs beside the program. */
  #tooLong(value: unknown): CodeError | undefined {
    const { outputBytes } = this.limits;
    if (value === undefined || Buffer.byteLength(JSON.stringify(value)) <= outputBytes) return undefined;
    return { kind: "output", message: `the program returned more than ${outputBytes} bytes`, stack: [] };
  }
}

/** The outcome of a program that is no text of an allowed length. */
export function sizeFault(code: string, { codeBytes }: Pick<CodeLimits, "codeBytes">): CodeOutcome | undefined {
  if (typeof code !== "string") throw new TypeError("Executing code: the code is not a string");
  if (code.trim() === "") return notStarted({ kind: "size", message: "the program is empty" });
  const bytes = new TextEncoder().encode(code).length;
  if (bytes <= codeBytes) return undefined;
  return notStarted({ kind: "size", message: `the program has ${bytes} bytes, allowed are ${codeBytes}` });
}
