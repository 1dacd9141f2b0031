import path from "node:path";
import { StringDecoder } from "node:string_decoder";
import { pathToFileURL } from "node:url";
import type { ChildMessage } from "../bridge/child-message.ts";
import { hostMessage } from "../bridge/host-message.ts";
import { textBytes } from "../bridge/kept-bytes.ts";
import { ToolCallHandler } from "../bridge/tool-call-handler.ts";
import type { CodeLimits } from "../code-limits.ts";
import type { CodeError, CodeErrorKind, CodeOutcome, CutValue } from "../code-outcome.ts";
import type { CodeExecution } from "../code-runtime.ts";
import { programReadings } from "../program/program-readings.ts";
import { tokensOf } from "../program/statements.ts";
import { undeclaredNames } from "../program/undeclared-names.ts";
import { hostFullError, toCodeError, type SyntaxFault } from "../run/program-error.ts";
import type { RunPermit } from "../run/run-permit.ts";
import { TimeBudget } from "../run/time-budget.ts";
import { diskError, endedError, memoryFault } from "./error/ended-error.ts";
import { DiskWatch } from "./process/disk-watch.ts";
import { heldBytes } from "./process/held-bytes.ts";
import { notStartedError } from "./process/not-started.ts";
import { processUsage } from "./process/process-usage.ts";
import type { ProcessEnd, SandboxObserver, SandboxProcess } from "./process/sandbox-process.ts";

/** Interval of the checks of time and memory. At 25 ms a memory bomb overshoots by about a tenth. */
const WATCH_MS = 25;
/** A start takes about 30 ms. */
const START_TIMEOUT_MS = 30_000;
/** A check that comes later than this found the event loop blocked. */
const BLOCKED_MS = 100;
/** The harness sends four messages that are no calls and no end. A program may send more by itself. */
const MAX_OTHER_MESSAGES = 16;
const MIB = 1024 * 1024;
/** `readFileSync(0)`, `readFileSync("/dev/stdin")`. */
const READS_INPUT = /readFileSync\(\s*(?:0\b|["'`]\/dev\/stdin)|\bstdin\.fd\b/;
/** The oldest Deno that checks the addresses an allowed name resolves to. */
const MIN_DENO = [2, 9] as const;
/** The engine reports a full heap at the end of standard error. */
const MAX_ERROR_CHARS = 16_384;

/** Runs one program in one process and kills that process. Every way to end becomes an outcome. */
export class ProgramRun implements SandboxObserver {
  readonly #process: SandboxProcess;
  readonly #execution: CodeExecution;
  readonly #limits: CodeLimits;
  readonly #cwd: string | undefined;
  readonly #permit: RunPermit;
  #isPending = false;
  /** Never rejects. */
  readonly outcome: Promise<CodeOutcome>;
  #resolve: (outcome: CodeOutcome) => void = () => undefined;
  readonly #toolCalls: ToolCallHandler;
  readonly #decoder = new StringDecoder("utf8");
  readonly #faults: SyntaxFault[] = [];
  readonly #watch: NodeJS.Timeout;
  readonly #started = performance.now();
  #begun = false;
  #budget: TimeBudget | undefined;
  #disk: DiskWatch | undefined;
  #output = "";
  #outputBytes = 0;
  #truncated = false;
  #otherMessages = 0;
  #lookedAt = performance.now();
  #errorText = "";
  #errorBytes = 0;
  #ended = false;

  constructor(
    process: SandboxProcess,
    execution: CodeExecution,
    limits: CodeLimits,
    cwd: string | undefined,
    permit: RunPermit,
  ) {
    this.#permit = permit;
    this.#process = process;
    this.#execution = execution;
    this.#limits = limits;
    this.#cwd = cwd;
    this.outcome = new Promise((resolve) => (this.#resolve = resolve));
    this.#toolCalls = new ToolCallHandler({
      callTool: execution.callTool,
      limits,
      onFull: () => void this.#end(undefined, hostFullError(limits)),
      send: (json, sent) => permit.whenHeld(() => process.send(json, sent)),
      onBacklog: (full) => (full ? process.pause() : process.resume()),
      onPending: (pending) => {
        this.#isPending = pending;
        if (pending) this.#setWaiting();
        else permit.whenHeld(() => this.#setWaiting());
      },
    });
    this.#watch = setInterval(() => this.#look(), WATCH_MS);
    execution.signal?.addEventListener("abort", this.#abort);
    process.hold(true);
    process.observe(this);
  }

  /** Whether the program was sent to its process. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Ends the run early. */
  stop(kind: CodeErrorKind, message: string): void {
    void this.#end(undefined, { kind, message, stack: [] });
  }

  onMessage(message: ChildMessage | undefined): void {
    if (this.#ended) return;
    if (message === undefined)
      return this.stop(
        "protocol",
        "the program's process sent something that is not a message, or a message that is too long",
      );
    if (message.t === "ready" || message.t === "syntax") {
      this.#otherMessages += 1;
      if (this.#otherMessages > MAX_OTHER_MESSAGES)
        return this.stop("protocol", "the program's process sent messages without end");
    }
    switch (message.t) {
      case "ready":
        return this.#begin(message.version);
      case "call":
        if (this.#toolCalls.handle(message.id, message.name, message.params)) return undefined;
        return this.stop("calls", `the program called more than ${this.#limits.calls} tools`);
      case "syntax":
        // The harness tries three readings. A program may send more by itself.
        if (this.#faults.length < 3) this.#faults.push(message);
        return undefined;
      case "done":
        return void this.#end(
          message.value,
          message.error && toCodeError(message.error, this.#faults, this.#execution.code),
          message.cut,
        );
    }
  }

  onText(bytes: Buffer): void {
    if (this.#ended) return;
    if (!this.#toolCalls.keep(bytes.length)) return;
    const room = this.#limits.outputBytes - this.#outputBytes;
    this.#outputBytes += bytes.length;
    this.#print(this.#decoder.write(bytes.subarray(0, room)));
    if (bytes.length <= room) return;
    this.#truncated = true;
    this.stop("output", `the program printed more than ${this.#limits.outputBytes} bytes`);
  }

  onErrorText(bytes: Buffer): void {
    this.#errorBytes += bytes.length;
    this.#errorText = (this.#errorText + bytes.toString("latin1")).slice(-MAX_ERROR_CHARS);
    if (this.#errorBytes > this.#limits.outputBytes)
      this.stop("output", `the program printed more than ${this.#limits.outputBytes} bytes to standard error`);
  }

  onEnd({ signal, reason }: ProcessEnd): void {
    if (!this.begun) {
      const said = this.#errorText.trim();
      return void this.#end(undefined, notStartedError(said === "" ? reason : `${reason}: ${said}`));
    }
    const ran = { code: this.#execution.code, limits: this.#limits, heapMb: this.#process.heapMb };
    void this.#end(undefined, endedError(signal, this.#errorText, ran));
  }

  #begin(version: string): void {
    if (this.#begun) return;
    const [major = 0, minor = 0] = version.split(".").map(Number);
    if (major < MIN_DENO[0] || (major === MIN_DENO[0] && minor < MIN_DENO[1])) {
      return this.stop(
        "unavailable",
        `Deno ${version.slice(0, 20)} was found, needed is ${MIN_DENO.join(".")} or later`,
      );
    }
    const { code, stubs = "" } = this.#execution;
    const { outputBytes, frameBytes, frameValues, calls, maxConcurrency, lingerMs, textChars } = this.#limits;
    this.#begun = true;
    const { directory } = this.#process;
    const { cpuMs, diskMb } = this.#limits;
    const onExceeded = (): void => void this.#end(undefined, diskError(this.#limits));
    this.#disk = new DiskWatch({ cwd: this.#cwd, directory, maxBytes: diskMb * MIB, onExceeded });
    this.#process.limit({ cpuMs, diskMb });
    const home = this.#cwd && path.join(this.#cwd, path.sep);
    const homes = home === undefined ? [] : [pathToFileURL(home).href, home];
    const tokens = tokensOf(code);
    this.#process.send(
      hostMessage({
        t: "run",
        readings: programReadings(code, tokens, homes[0]),
        assigned: undeclaredNames(tokens),
        readsInput: READS_INPUT.test(code),
        lines: code.split(/\r\n?|\n/).length,
        stubs,
        cwd: this.#cwd,
        homes,
        outputBytes,
        frameBytes,
        frameValues,
        calls,
        maxConcurrency,
        lingerMs,
        textChars,
      }),
    );
    // After the message has left: reading the process's usage takes as long as the message takes there.
    process.nextTick(() => {
      this.#budget = new TimeBudget(this.#limits, performance.now(), processUsage(this.#process.pid)?.cpuMs);
    });
  }

  #look(): void {
    if (this.#ended) return;
    const now = performance.now();
    const sinceLast = now - this.#lookedAt;
    this.#lookedAt = now;
    if (sinceLast > WATCH_MS + BLOCKED_MS) {
      this.#budget?.skip(now, processUsage(this.#process.pid)?.cpuMs);
      // Messages that the process has sent meanwhile are read first.
      setImmediate(() => this.#look());
      return;
    }
    if (this.#budget === undefined) {
      if (now - this.#started > START_TIMEOUT_MS)
        void this.#end(undefined, notStartedError(`it was not ready after ${START_TIMEOUT_MS} ms`));
      return;
    }
    const usage = processUsage(this.#process.pid);
    const held = heldBytes({ pid: this.#process.innerPid, scratch: this.#process.scratch });
    const tooMuch = usage && memoryFault(usage, held.memory, this.#limits);
    if (tooMuch !== undefined) return this.stop("memory", tooMuch);
    this.#disk?.look(held.disk);
    // On a busy machine a program that computes may get no processor for long.
    this.#permit.look(this.#isPending && usage?.isRunning !== true, now, usage?.cpuMs ?? 0);
    const overtime = this.#budget.exceeded(now, usage?.cpuMs);
    if (overtime === "cpuMs")
      this.stop("timeout", `the program used more than ${this.#limits.cpuMs} ms of processor time`);
    if (overtime === "wallMs")
      this.stop("timeout", `the program ran longer than ${this.#limits.wallMs} ms, waiting for tools not counted`);
    if (overtime === "totalMs")
      this.stop("timeout", `the program ran longer than ${this.#limits.totalMs} ms, waiting for tools included`);
  }

  #setWaiting(): void {
    this.#budget?.setWaiting(this.#isPending, performance.now());
  }

  readonly #abort = (): void => this.stop("aborted", "the execution was cancelled");

  #print(text: string): void {
    if (text === "") return;
    this.#output += text;
    try {
      this.#execution.onOutput?.(text);
    } catch {
      // An error of the listener is not the program's.
    }
  }

  /** Only the first end counts. */
  async #end(value: unknown, failed: CodeError | undefined, cut?: CutValue): Promise<void> {
    // Both may exceed a limit, which ends the run.
    if (!this.#ended) this.#process.flush();
    if (!this.#ended && cut?.json !== undefined) this.#toolCalls.keep(textBytes(cut.json));
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#watch);
    this.#execution.signal?.removeEventListener("abort", this.#abort);
    this.#process.kill();
    this.#print(this.#decoder.end());
    const now = performance.now();
    const durationMs = this.#budget?.elapsedMs(now) ?? 0;
    const error = failed ?? this.#tooLong(value) ?? (await this.#leftTooMuch());
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

  /** A program may have written it since the last look. */
  async #leftTooMuch(): Promise<CodeError | undefined> {
    return (await this.#disk?.leftTooMuch()) ? diskError(this.#limits) : undefined;
  }

  /** The harness checks this too, but it runs beside the program. */
  #tooLong(value: unknown): CodeError | undefined {
    const { outputBytes } = this.#limits;
    if (value === undefined || Buffer.byteLength(JSON.stringify(value)) <= outputBytes) return undefined;
    return { kind: "output", message: `the program returned more than ${outputBytes} bytes`, stack: [] };
  }
}
