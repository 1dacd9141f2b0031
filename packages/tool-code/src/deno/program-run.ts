import path from "node:path";
import { pathToFileURL } from "node:url";
import type { DiskWatch, ProcessEnd, ProcessUsage } from "@dispatch/sandbox";
import type { ChildError, ChildMessage } from "../bridge/child-message.ts";
import { hostMessage } from "../bridge/host-message.ts";
import type { CodeLimits } from "../code-limits.ts";
import type { CodeError, CodeErrorKind } from "../code-outcome.ts";
import type { CodeExecution } from "../code-runtime.ts";
import { programReadings } from "../program/program-readings.ts";
import { tokensOf } from "../program/statements.ts";
import { undeclaredNames } from "../program/undeclared-names.ts";
import { toCodeError, unsettledError, type SyntaxFault } from "../run/program-error.ts";
import type { RunPermit } from "../run/run-permit.ts";
import { RunningProgram } from "../run/running-program.ts";
import type { SandboxObserver, SandboxProcess } from "./process/sandbox-process.ts";

/** A start takes about 30 ms. */
const START_TIMEOUT_MS = 30_000;
/** The harness sends four messages that are no calls and no end. A program may send more by itself. */
const MAX_OTHER_MESSAGES = 16;
const MIB = 1024 * 1024;
/** `readFileSync(0)`, `readFileSync("/dev/stdin")`. */
const READS_INPUT = /readFileSync\(\s*(?:0\b|["'`]\/dev\/stdin)|\bstdin\.fd\b/;
/** The oldest Deno that checks the addresses an allowed name resolves to. */
const MIN_DENO = [2, 9] as const;
/** The engine reports a full heap at the end of standard error. */
const MAX_ERROR_CHARS = 16_384;

/** Deno starts about 20, and up to 512 more for work with files that blocks. Each takes memory of the kernel. */
const MAX_THREADS = 640;

/** Runs one program in one process and kills that process. */
export class ProgramRun extends RunningProgram<ProcessUsage> implements SandboxObserver {
  readonly #process: SandboxProcess;
  readonly #cwd: string | undefined;
  readonly #faults: SyntaxFault[] = [];
  #begun = false;
  #disk: DiskWatch | undefined;
  #otherMessages = 0;
  #errorText = "";
  #errorBytes = 0;

  constructor(
    process: SandboxProcess,
    execution: CodeExecution,
    limits: CodeLimits,
    cwd: string | undefined,
    permit: RunPermit,
  ) {
    super(execution, limits, permit);
    this.#process = process;
    this.#cwd = cwd;
    process.contained.hold(true);
    process.observe(this);
  }

  get begun(): boolean {
    return this.#begun;
  }

  onMessage(message: ChildMessage | undefined): void {
    if (this.ended) return;
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
        return this.call(message);
      case "syntax":
        // The harness tries three readings. A program may send more by itself.
        if (this.#faults.length < 3) this.#faults.push(message);
        return undefined;
      case "done":
        return void this.end(
          message.value,
          message.error && toCodeError(withoutDirectory(message.error, this.#cwd), this.#faults, this.execution.code),
          message.cut,
        );
    }
  }

  onText(bytes: Buffer): void {
    this.print(bytes);
  }

  onErrorText(bytes: Buffer): void {
    this.#errorBytes += bytes.length;
    this.#errorText = (this.#errorText + bytes.toString("latin1")).slice(-MAX_ERROR_CHARS);
    if (this.#errorBytes > this.limits.outputBytes)
      this.stop("output", `the program printed more than ${this.limits.outputBytes} bytes to standard error`);
  }

  onEnd({ signal, reason }: ProcessEnd): void {
    if (!this.begun) {
      const said = this.#errorText.trim();
      return this.fail(notStartedError(said === "" ? reason : `${reason}: ${said}`));
    }
    const ran = { code: this.execution.code, limits: this.limits, heapMb: this.#process.heapMb };
    this.fail(endedError(signal, this.#errorText, ran));
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
    const { code, stubs = "" } = this.execution;
    const { outputBytes, frameBytes, frameValues, calls, maxConcurrency, lingerMs, textChars } = this.limits;
    this.#begun = true;
    const { contained } = this.#process;
    const onExceeded = (): void => this.fail(diskError(this.limits));
    this.#disk = contained.watchDisk({ maxBytes: this.limits.diskMb * MIB, onExceeded });
    contained.limit(this.limits);
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
    process.nextTick(() => this.startClock());
  }

  protected override send(json: string, sent: () => void): void {
    this.#process.send(json, sent);
  }

  protected override usage(): ProcessUsage | undefined {
    return this.#process.contained.usage();
  }

  protected override onStarting(elapsedMs: number): void {
    if (elapsedMs > START_TIMEOUT_MS) this.fail(notStartedError(`it was not ready after ${START_TIMEOUT_MS} ms`));
  }

  protected override check(usage: ProcessUsage | undefined): void {
    const held = this.#process.contained.held();
    const tooMuch = usage && memoryFault(usage, held.memory, this.limits);
    if (tooMuch === undefined) this.#disk?.look(held.disk);
    else this.stop("memory", tooMuch);
  }

  protected override flush(): void {
    this.#process.flush();
  }

  protected override kill(): void {
    this.#process.kill();
  }

  /** A program may have written it since the last look. */
  protected override async faultAtEnd(): Promise<CodeError | undefined> {
    return (await this.#disk?.leftTooMuch()) ? diskError(this.limits) : undefined;
  }
}

/** The configuration a program ran with. */
interface Ran {
  readonly code: string;
  readonly limits: Pick<CodeLimits, "rssMb" | "diskMb" | "cpuMs">;
  /** The limit of its heap, in MiB. */
  readonly heapMb: number;
}

/**
 * Explains why a program's process ended before the program did.
 *
 * @param signal - The signal that ended it, `null` if it ended by itself.
 * @param errorText - The end of its standard error output.
 */
function endedError(signal: string | null, errorText: string, { code, limits, heapMb }: Ran): CodeError {
  if (
    /heap out of memory|Fatal (?:JavaScript|process) out of memory|memory allocation of \d+ bytes failed/.test(
      errorText,
    )
  ) {
    return fault("memory", `the program's heap went over ${heapMb} MiB, or its memory over ${limits.rssMb} MiB`);
  }
  if (signal === "SIGXFSZ") return diskError(limits);
  if (signal === "SIGXCPU") return fault("timeout", `the program used more than ${limits.cpuMs} ms of processor time`);
  // Deno itself names the await that keeps a module from ending.
  if (/Top-level await promise never resolved/.test(errorText)) return unsettledError(code);
  return fault("exit", `the program's process ended before the program did${signal === null ? "" : `, by ${signal}`}`);
}

/** The program wrote more than it may. */
function diskError({ diskMb }: Pick<CodeLimits, "diskMb">): CodeError {
  return fault("disk", `the program added more than ${diskMb} MiB to the disk`);
}

/**
 * The memory limit: decides whether a program must be ended for its memory, and explains why.
 *
 * @param kernelBytes - Memory that the kernel may hold for it.
 */
function memoryFault(
  { rssBytes, threads }: ProcessUsage,
  kernelBytes: number,
  { rssMb }: Pick<CodeLimits, "rssMb">,
): string | undefined {
  if (rssBytes + kernelBytes > rssMb * MIB) return `the program's process used more than ${rssMb} MiB`;
  return threads > MAX_THREADS ? `the program's process started more than ${MAX_THREADS} threads` : undefined;
}

/** The error with paths relative to the working directory: Deno gives whole ones, which name the host's directories. */
function withoutDirectory(error: ChildError, cwd: string | undefined): ChildError {
  if (cwd === undefined) return error;
  const places = [pathToFileURL(cwd).href, `file://${cwd}`, cwd]
    .map((place) => place.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join("|");
  const found = new RegExp(`(?<![\\w.~-])(?:${places})(?:/|(?![\\w.~-]))`, "g");
  return { ...error, message: error.message.replace(found, (place) => (place.endsWith("/") ? "" : ".")) };
}

function fault(kind: CodeErrorKind, message: string): CodeError {
  return { kind, message, stack: [] };
}

/** The error of a run whose process could not be started. The model reads that it is so, the host reads the `reason`. */
export function notStartedError(reason: string): CodeError {
  return {
    kind: "unavailable",
    message: "the process that was to run the program did not start",
    stack: [],
    reason,
  };
}
