import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { Readable } from "node:stream";
import type { SearchQuery } from "../search-request.ts";

/** Limit for the kept part of ripgrep's error output, in bytes. */
const MAX_ERRORS = 64 * 1024;
/** Memory a run may take, where that can be seen: a line of a gigabyte would otherwise be held whole. */
const MAX_MEMORY = 512 * 1024 * 1024;
/** Most bytes of a log. */
const MAX_LOG = 64 * 1024 * 1024;
/** Milliseconds without any progress after which it is ended. */
const STALLED_MS = 1000;
/** How often memory and log are looked at, in milliseconds. */
const WATCH_MS = 40;
/** Bytes of a page of memory. Larger ones, where there are any, only make the limit come sooner in bytes. */
const PAGE = 4096;

export interface RipgrepRun {
  readonly program: string;
  /** Where names are relative to. */
  readonly cwd: string;
  /** All of the command line. Patterns belong behind `-e`, names behind `--`. */
  readonly options: readonly string[];
  /** Its standard input. Default: nothing. */
  readonly input?: AsyncIterable<Uint8Array>;
  /** Descriptor of a file that takes its log, so that each line of it wakes nobody. Default: errors are kept in memory. */
  readonly log?: number;
  /** Descriptor it inherits as number 3. */
  readonly inherited?: number;
  readonly signal: AbortSignal;
}

/** ripgrep could not be run, or was ended from outside: not the query is at fault. */
export class RipgrepUnavailableError extends Error {}

/** ripgrep was stopped because it took more than it may. */
export class RipgrepOverflowError extends Error {}

/**
 * Options for the required contents of a line: the query, or one of `patterns`, regular expressions that replace it.
 */
export function queryOptions(
  { isRegex, ignoreCase, multiline, text }: SearchQuery,
  patterns?: readonly string[],
): string[] {
  const literal = patterns === undefined && !isRegex;
  return [
    "--no-config",
    "--color=never",
    "--null",
    "--text",
    "--encoding=none",
    "--crlf",
    "--no-mmap",
    "--regex-size-limit=10M",
    "--dfa-size-limit=10M",
    ...(literal ? ["--fixed-strings"] : []),
    ...(ignoreCase ? ["--ignore-case"] : []),
    ...(multiline ? ["--multiline"] : []),
    ...(patterns ?? [text]).flatMap((pattern) => ["-e", pattern]),
  ];
}

/** One run of ripgrep: no configuration, no preprocessor, no environment. */
export class RipgrepProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  readonly #signal: AbortSignal;
  readonly #kill = () => this.kill();
  readonly #watch: NodeJS.Timeout;
  readonly #input: Readable | undefined;
  #errors = "";
  #overflow = false;
  #stalled = false;
  #progress = "";
  #looks = 0;
  #killed = false;

  constructor({ program, cwd, options, input, log, inherited, signal }: RipgrepRun) {
    signal.throwIfAborted();
    this.#signal = signal;
    this.#child = spawn(program, options, {
      cwd,
      env: {},
      windowsHide: true,
      stdio: [
        input === undefined ? "ignore" : "pipe",
        "pipe",
        log ?? "pipe",
        ...(inherited === undefined ? [] : [inherited]),
      ],
    });
    this.#watch = setInterval(() => this.#look(log), WATCH_MS).unref();
    this.#ended = new Promise((resolve, reject) => {
      this.#child.once("error", (cause) => reject(new RipgrepUnavailableError("ripgrep cannot be run", { cause })));
      this.#child.once("close", resolve);
    });
    this.#ended
      .catch(() => {})
      .finally(() => {
        clearInterval(this.#watch);
        signal.removeEventListener("abort", this.#kill);
      });
    signal.addEventListener("abort", this.#kill);
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (this.#errors.length < MAX_ERRORS) this.#errors += text;
    });
    const { stdin } = this.#child;
    stdin?.on("error", () => {});
    if (input !== undefined && stdin) this.#input = Readable.from(input).on("error", this.#kill);
    if (stdin) this.#input?.pipe(stdin);
  }

  /** Its output, from now on. Call it at once: if nobody listens when a process ends, its output is lost. */
  async *output(): AsyncGenerator<Buffer> {
    try {
      // There is none when it could not be started, which its end says.
      if (this.#child.stdout) yield* this.#child.stdout as AsyncIterable<Buffer>;
    } catch (error) {
      // Cut off where it was killed: its end says why.
      if (!this.#killed) throw error;
    }
  }

  /**
   * How it ended, once all of its output was read: 0 with a match, 1 without, 2 after errors, which are returned.
   *
   * @throws {RipgrepUnavailableError} When it could not be run or was killed from outside.
   * @throws {RipgrepOverflowError} When it took too much memory or said too much.
   */
  async end(): Promise<{ readonly code: number; readonly errors: string }> {
    const code = await this.#ended;
    this.#signal.throwIfAborted();
    if (this.#overflow) throw new RipgrepOverflowError("ripgrep took too much");
    if (this.#stalled) throw new RipgrepUnavailableError("ripgrep waits for something that may never come");
    if (code === null) throw new RipgrepUnavailableError("ripgrep was killed");
    return { code, errors: this.#errors };
  }

  kill(): void {
    this.#killed = true;
    clearInterval(this.#watch);
    this.#child.kill("SIGKILL");
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.stdin?.destroy();
    this.#input?.destroy();
  }

  /** Whether it sleeps and has neither read nor worked for a second: it has opened a pipe that was exchanged into place. */
  #isStalled(): boolean {
    if (this.#input !== undefined) return false;
    const directory = `/proc/${this.#child.pid ?? 0}`;
    const stat = fs.readFileSync(`${directory}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const progress = `${fields[11]} ${fields[12]} ${fs.readFileSync(`${directory}/io`, "latin1")}`;
    this.#looks = progress === this.#progress && fields[0] === "S" ? this.#looks + 1 : 0;
    this.#progress = progress;
    return this.#looks > STALLED_MS / WATCH_MS;
  }

  #look(log: number | undefined): void {
    try {
      this.#stalled ||= this.#isStalled();
      if (this.#stalled) return this.kill();
      const pages = Number(fs.readFileSync(`/proc/${this.#child.pid ?? 0}/statm`, "latin1").split(" ")[1]);
      this.#overflow ||= pages * PAGE > MAX_MEMORY;
    } catch {
      // Not to be seen on this system, or it has just ended.
    }
    this.#overflow ||= log !== undefined && fs.fstatSync(log).size > MAX_LOG;
    if (this.#overflow) this.kill();
  }
}

let found: { readonly program: string | undefined } | undefined;

/**
 * The ripgrep that was installed with this package, or `undefined` where there is none. Looked for as this module would import
 * it and, because a bundler may have put this module elsewhere, as the program that was started would; never from the working
 * directory, where a model may write. Not imported: a bundler would take the program for a module.
 */
export function ripgrepProgram(): string | undefined {
  found ??= { program: find(import.meta.url) ?? find(process.argv[1]) };
  return found.program;
}

function find(from: string | undefined): string | undefined {
  const { createRequire } = process.getBuiltinModule("node:module");
  try {
    // The programs are dependencies of this package, one for each platform.
    const installed = createRequire(createRequire(from ?? "").resolve("@vscode/ripgrep"));
    const name = process.platform === "win32" ? "rg.exe" : "rg";
    return installed.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
  } catch {
    return undefined;
  }
}
