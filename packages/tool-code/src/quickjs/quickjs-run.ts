import { childMessageStream, parseChildMessage, type ChildMessage } from "../bridge/child-message.ts";
import type { CodeLimits } from "../code-limits.ts";
import type { CodeError } from "../code-outcome.ts";
import type { CodeExecution } from "../code-runtime.ts";
import { excerptOf, toCodeError } from "../run/program-error.ts";
import type { RunPermit } from "../run/run-permit.ts";
import { RunningProgram } from "../run/running-program.ts";
import { findName, findOnly } from "../run/source-position.ts";
import { memoryEnd, type SessionEnd, type SessionMessage } from "./engine/session-message.ts";
import type { ExecutorObserver, ProgramExecutor } from "./executor/program-executor.ts";

/** A long message is read in pieces, so that the host's event loop is not blocked. */
const PIECE_BYTES = 65_536;
/** How the message about a requested module begins. */
const IMPORTING = /^Importing "/;
const PROPERTY = /cannot (?:read|set) property '(\w+)' of/;
const OUT_OF_MEMORY = /out of memory|array buffer length|string too long|too large to allocate/;
/** Names that programs of other runtimes use and this runtime lacks. */
const NETWORK = /^(?:fetch|Request|Response|Headers|FormData|WebSocket|XMLHttpRequest|EventSource) is not defined/;
const SYSTEM =
  /^(?:Deno|Bun|require|module|exports|__dirname|__filename|Worker|WebAssembly|Atomics|localStorage|document|window) is not defined/;

/** Runs one program in one executor. */
export class QuickJsRun extends RunningProgram<{ readonly cpuMs: number }> implements ExecutorObserver {
  readonly #executor: ProgramExecutor;
  /** Frames that come while a long one is read. */
  readonly #frames: (string | Uint8Array)[] = [];
  #isReading = false;
  /** Whether the program ended by itself, so that another one may follow in its place. */
  isClean = false;
  /** Whether the engine or the parser gave up. */
  isBroken = false;

  constructor(executor: ProgramExecutor, execution: CodeExecution, limits: CodeLimits, permit: RunPermit) {
    super(execution, limits, permit);
    this.#executor = executor;
    this.startClock();
    const { code, stubs = "" } = execution;
    executor.run({ code, stubs, limits, heapMb: limits.heapMb }, this);
  }

  shouldStop(): boolean {
    return this.hasTimedOut();
  }

  onMessage(message: SessionMessage): void {
    if ("end" in message && message.end.isBroken === true) this.isBroken = true;
    if (this.ended) return;
    if ("text" in message) return this.print(Buffer.from(message.text));
    if ("end" in message) return this.#endedBy(message.end);
    this.#frames.push(message.frame);
    if (!this.#isReading) void this.#readFrames();
  }

  protected override send(json: string, sent: () => void): void {
    if (!this.ended) this.#executor.send(json);
    sent();
  }

  protected override usage(): { readonly cpuMs: number } {
    return { cpuMs: this.#executor.busyMs() };
  }

  onExit(outOfMemory: boolean): void {
    if (outOfMemory) return this.#endedBy({ isBroken: true, ...memoryEnd(this.limits.heapMb) });
    this.stop("exit", "the program's thread ended before the program did");
  }

  /** Messages keep their order. */
  async #readFrames(): Promise<void> {
    this.#isReading = true;
    for (let frame = this.#frames.shift(); frame !== undefined && !this.ended; frame = this.#frames.shift()) {
      if (typeof frame === "string") this.#onFrame(parseChildMessage(frame, this.limits.frameValues));
      else await this.#readLong(frame);
    }
    this.#isReading = false;
  }

  async #readLong(frame: Uint8Array): Promise<void> {
    const { frameValues, frameBytes, outputBytes } = this.limits;
    // Names and marks of a message stand beside its value.
    if (frame.length > Math.max(frameBytes, outputBytes) + PIECE_BYTES) return this.#onFrame(undefined);
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
    const stream = childMessageStream(frameValues, (message) => this.#onFrame(message));
    for (let at = 0; at < bytes.length && !this.ended; at += PIECE_BYTES) {
      stream.push(bytes.subarray(at, at + PIECE_BYTES));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!this.ended) stream.end();
  }

  #onFrame(message: ChildMessage | undefined): void {
    if (this.ended) return;
    if (message?.t === "call") this.call(message);
    else if (message?.t === "done") {
      this.isClean = true;
      void this.end(message.value, message.error && this.#errorOf(message.error), message.cut);
    } else this.stop("protocol", "the program sent something that is not a message, or a message that is too long");
  }

  #errorOf(error: NonNullable<Extract<ChildMessage, { readonly t: "done" }>["error"]>): CodeError {
    const found = withPropertyPlace(toCodeError(error, [], this.execution.code), this.execution.code);
    if (/^(?:Internal|Range)Error$/.test(error.name) && OUT_OF_MEMORY.test(error.message))
      return { ...found, kind: "memory", message: `the program's memory went over ${this.limits.heapMb} MiB` };
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
    const found = toCodeError({ ...error, ...last }, others, this.execution.code);
    this.fail({ ...found, ...(found.line !== undefined && excerptOf(this.execution.code, found.line)) });
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

/** An alternative for a program that uses a missing name. */
function missingHint(message: string): { readonly hint?: string } {
  const text = message.replace(/^\w*Error: /, "");
  if (NETWORK.test(text)) return { hint: "There is no network here: call one of the tools instead" };
  if (SYSTEM.test(text) || IMPORTING.test(text))
    return {
      hint: "There are no files, processes and further modules here: use the language's own features, or call one of the tools",
    };
  return {};
}
