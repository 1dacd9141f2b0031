import { childMessageStream, parseChildMessage, type ChildMessage } from "../bridge/child-message.ts";
import { textBytes } from "../bridge/kept-bytes.ts";
import { ToolCallHandler } from "../bridge/tool-call-handler.ts";
import type { CodeLimits } from "../code-limits.ts";
import type { CodeError, CodeErrorKind, CodeOutcome, CutValue } from "../code-outcome.ts";
import type { CodeExecution } from "../code-runtime.ts";
import { hostFullError, toCodeError } from "../run/program-error.ts";
import type { RunPermit } from "../run/run-permit.ts";
import { findName, findOnly } from "../run/source-position.ts";
import { TimeBudget } from "../run/time-budget.ts";
import { memoryEnd } from "./engine/memory-end.ts";
import type { SessionEnd, SessionMessage } from "./engine/session-message.ts";
import type { ExecutorObserver, ProgramExecutor } from "./executor/program-executor.ts";
import { missingHint } from "./missing-hint.ts";

/** Interval of the checks of time. */
const WATCH_MS = 25;
/** A check that comes later than this found the event loop blocked. */
const BLOCKED_MS = 100;
/** A long message is read in pieces, so that the host's event loop is not blocked. */
const PIECE_BYTES = 65_536;
/** How the session's message about a requested module begins. */
const IMPORTING = /^Importing "/;
const PROPERTY = /cannot (?:read|set) property '(\w+)' of/;
const MAX_EXCERPT = 160;
const LINE_END = /\r\n?|\n/;
const OUT_OF_MEMORY = /out of memory|array buffer length|string too long|too large to allocate/;

/** Runs one program in one executor. Every way to end becomes an outcome. */
export class QuickJsRun implements ExecutorObserver {
  readonly #executor: ProgramExecutor;
  readonly #execution: CodeExecution;
  readonly #limits: CodeLimits;
  readonly #permit: RunPermit;
  #isPending = false;
  /** Never rejects. */
  readonly outcome: Promise<CodeOutcome>;
  #resolve: (outcome: CodeOutcome) => void = () => undefined;
  readonly #toolCalls: ToolCallHandler;
  readonly #budget: TimeBudget;
  readonly #watch: ReturnType<typeof setInterval>;
  readonly #started = performance.now();
  /** Frames that come while a long one is read. */
  readonly #frames: (string | Uint8Array)[] = [];
  #isReading = false;
  #lookedAt = performance.now();
  #output = "";
  #outputBytes = 0;
  #truncated = false;
  #ended = false;
  /** Whether the program ended by itself, so that another one may follow in its place. */
  isClean = false;
  /** Whether the engine or the parser gave up. */
  isBroken = false;

  constructor(executor: ProgramExecutor, execution: CodeExecution, limits: CodeLimits, permit: RunPermit) {
    this.#permit = permit;
    this.#executor = executor;
    this.#execution = execution;
    this.#limits = limits;
    this.outcome = new Promise((resolve) => (this.#resolve = resolve));
    this.#budget = new TimeBudget(limits, this.#started, executor.busyMs());
    this.#toolCalls = new ToolCallHandler({
      callTool: execution.callTool,
      limits,
      onFull: () => void this.#end(undefined, hostFullError(limits)),
      send: (json, sent) =>
        permit.whenHeld(() => {
          if (!this.#ended) executor.send(json);
          sent();
        }),
      // The sandboxed side keeps to `maxConcurrency`, and its memory is limited.
      onBacklog: () => undefined,
      onPending: (pending) => {
        this.#isPending = pending;
        if (pending) this.#setWaiting();
        else permit.whenHeld(() => this.#setWaiting());
      },
    });
    this.#watch = setInterval(() => this.#look(), WATCH_MS);
    execution.signal?.addEventListener("abort", this.#abort);
    const { code, stubs = "" } = execution;
    executor.run({ code, stubs, limits, heapMb: limits.heapMb }, this);
  }

  /** Ends the run early. */
  stop(kind: CodeErrorKind, message: string, hint?: string): void {
    void this.#end(undefined, { kind, message, stack: [], ...(hint !== undefined && { hint }) });
  }

  shouldStop(): boolean {
    if (!this.#ended) this.#checkTime(performance.now(), this.#executor.busyMs());
    return this.#ended;
  }

  onMessage(message: SessionMessage): void {
    if ("end" in message && message.end.isBroken === true) this.isBroken = true;
    if (this.#ended) return;
    if ("text" in message) return this.#print(message.text);
    if ("end" in message) return this.#endedBy(message.end);
    this.#frames.push(message.frame);
    if (!this.#isReading) void this.#readFrames();
  }

  onExit(outOfMemory: boolean): void {
    if (outOfMemory) return this.#endedBy({ isBroken: true, ...memoryEnd(this.#limits.heapMb) });
    this.stop("exit", "the program's thread ended before the program did");
  }

  /** Messages keep their order. */
  async #readFrames(): Promise<void> {
    this.#isReading = true;
    for (let frame = this.#frames.shift(); frame !== undefined && !this.#ended; frame = this.#frames.shift()) {
      if (typeof frame === "string") this.#onFrame(parseChildMessage(frame, this.#limits.frameValues));
      else await this.#readLong(frame);
    }
    this.#isReading = false;
  }

  async #readLong(frame: Uint8Array): Promise<void> {
    const { frameValues, frameBytes, outputBytes } = this.#limits;
    // Names and marks of a message stand beside its value.
    if (frame.length > Math.max(frameBytes, outputBytes) + PIECE_BYTES) return this.#onFrame(undefined);
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
    const stream = childMessageStream(frameValues, (message) => this.#onFrame(message));
    for (let at = 0; at < bytes.length && !this.#ended; at += PIECE_BYTES) {
      stream.push(bytes.subarray(at, at + PIECE_BYTES));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!this.#ended) stream.end();
  }

  #onFrame(message: ChildMessage | undefined): void {
    if (this.#ended) return;
    if (message?.t === "call") {
      if (!this.#toolCalls.handle(message.id, message.name, message.params))
        this.stop("calls", `the program called more than ${this.#limits.calls} tools`);
    } else if (message?.t === "done") {
      this.isClean = true;
      void this.#end(message.value, message.error && this.#errorOf(message.error), message.cut);
    } else this.stop("protocol", "the program sent something that is not a message, or a message that is too long");
  }

  #errorOf(error: NonNullable<Extract<ChildMessage, { readonly t: "done" }>["error"]>): CodeError {
    const found = withPropertyPlace(toCodeError(error, [], this.#execution.code), this.#execution.code);
    if (/^(?:Internal|Range)Error$/.test(error.name) && OUT_OF_MEMORY.test(error.message))
      return { ...found, kind: "memory", message: `the program's memory went over ${this.#limits.heapMb} MiB` };
    const isImport = IMPORTING.test(error.message);
    if (isImport) return { ...found, kind: "permission", message: error.message, ...missingHint(error.message) };
    return { ...found, ...missingHint(found.message) };
  }

  #endedBy(end: SessionEnd): void {
    this.isClean = end.isBroken !== true;
    if (end.kind !== "syntax") return this.stop(end.kind, end.message, missingHint(end.message).hint);
    const [last, ...others] = end.faults.toReversed();
    const error = { name: "", message: "", stack: "", tool: false, output: false, unparsed: undefined };
    if (last === undefined) return this.stop("syntax", end.message);
    const found = toCodeError({ ...error, ...last }, others, this.#execution.code);
    void this.#end(undefined, { ...found, ...excerptOf(this.#execution.code, found.line) });
  }

  #look(): void {
    if (this.#ended) return;
    const now = performance.now();
    const sinceLast = now - this.#lookedAt;
    this.#lookedAt = now;
    const busyMs = this.#executor.busyMs();
    if (sinceLast > WATCH_MS + BLOCKED_MS) {
      this.#budget.skip(now, busyMs);
      // Messages that the process has sent meanwhile are read first.
      setImmediate(() => this.#look());
      return;
    }
    this.#permit.look(this.#isPending, now, busyMs);
    this.#checkTime(now, busyMs);
  }

  #setWaiting(): void {
    this.#budget.setWaiting(this.#isPending, performance.now());
  }

  #checkTime(now: number, busyMs: number): void {
    const overtime = this.#budget.exceeded(now, busyMs);
    if (overtime === undefined) return;
    this.stop(
      "timeout",
      `the program ran longer than ${this.#limits[overtime]} ms, waiting for tools ${overtime === "wallMs" ? "not counted" : "included"}`,
    );
  }

  readonly #abort = (): void => this.stop("aborted", "the execution was cancelled");

  #print(text: string): void {
    const room = this.#limits.outputBytes - this.#outputBytes;
    const bytes = Buffer.from(text);
    if (!this.#toolCalls.keep(bytes.length)) return;
    this.#outputBytes += bytes.length;
    this.#truncated = bytes.length > room;
    // A character that is cut in two is left out.
    const shown = this.#truncated ? bytes.toString("utf8", 0, room).replace(/\ufffd+$/, "") : text;
    this.#output += shown;
    try {
      if (shown !== "") this.#execution.onOutput?.(shown);
    } catch {
      // An error of the listener is not the program's.
    }
    if (this.#truncated) this.stop("output", `the program printed more than ${this.#limits.outputBytes} bytes`);
  }

  /** Only the first end counts. */
  async #end(value: unknown, error: CodeError | undefined, cut?: CutValue): Promise<void> {
    if (!this.#ended && cut?.json !== undefined) this.#toolCalls.keep(textBytes(cut.json));
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#watch);
    this.#execution.signal?.removeEventListener("abort", this.#abort);
    const durationMs = performance.now() - this.#started;
    await this.#toolCalls.close();
    this.#resolve({
      ok: error === undefined,
      value: error === undefined ? value : undefined,
      ...(error === undefined && cut !== undefined && { cut }),
      output: this.#output,
      error,
      calls: this.#toolCalls.calls(),
      durationMs,
      truncated: this.#truncated,
    });
  }
}

/**
 * QuickJS says which property of nothing was asked for, and only roughly where: it is the one of that name in the line, else
 * the only one in the program. Otherwise nothing is said, because a wrong position misleads more than none.
 */
function withPropertyPlace(error: CodeError, code: string): CodeError {
  const [, name] = PROPERTY.exec(error.message) ?? [];
  if (name === undefined) return error;
  const { line, column = 1, excerpt: _, ...placeless } = error;
  const found = (line === undefined ? undefined : findName(code, name, { line, column })) ?? findOnly(code, name);
  return found === undefined
    ? placeless
    : { ...placeless, line: found.line, column: found.column, ...excerptOf(code, found.line) };
}

function excerptOf(code: string, line: number | undefined): { readonly excerpt?: string } {
  const text = line === undefined ? undefined : code.split(LINE_END)[line - 1]?.trimEnd();
  return text === undefined || text.trim() === "" ? {} : { excerpt: text.slice(0, MAX_EXCERPT) };
}
