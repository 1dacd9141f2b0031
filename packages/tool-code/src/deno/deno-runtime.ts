import { realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openRoom, type Containment, type ContainmentReport, type Room, type WrapCommand } from "@dispatch/sandbox";
import { checkOptions, type OptionNames } from "@dispatch/tools-interface/internal";
import { checkCount, type CodeLimits } from "../code-limits.ts";
import { notStarted, type CodeOutcome } from "../code-outcome.ts";
import type { CodeExecution, CodeRuntime } from "../code-runtime.ts";
import type { RunPermit } from "../run/run-permit.ts";
import { CANCELLED, RuntimePrograms } from "../run/runtime-programs.ts";
import { networkAccess } from "./permissions/allowed-host.ts";
import { findEscapingLinks, isWithin, type EscapingLinks } from "./permissions/escaping-links.ts";
import { WorkingDirectory, pathFault } from "./permissions/working-directory.ts";
import { readWritten, writtenFiles } from "./permissions/written-files.ts";
import { findDeno } from "./process/deno-binary.ts";
import { denoEnvironment, DENO_TRIAL, type Permissions } from "./process/deno-command.ts";
import { SandboxProcess } from "./process/sandbox-process.ts";
import { SpareProcesses } from "./process/spare-processes.ts";
import { ProgramRun, notStartedError } from "./program-run.ts";

/** Options of {@link DenoRuntime}. */
export interface DenoRuntimeOptions {
  /** Absolute path of the only directory programs may read and write, their working directory. Default none: no files. */
  readonly cwd?: string;
  /** Whether programs may only read `cwd`. Default false. */
  readonly readOnly?: boolean;
  /**
   * Hosts that programs may reach: names or addresses, each with an optional port (`api.example.com:443`). A name that
   * resolves to a private IPv4 address is refused. An address in a private range opens that range. Default none.
   */
  readonly allowedHosts?: readonly string[];
  /** Absolute path of a Deno executable, 2.9 or later. Default: the installed package. */
  readonly denoPath?: string;
  /** Idle processes, of about 10 MiB each, for the limits of the last run. A run that gets one starts in a few milliseconds. Default 1. */
  readonly prewarm?: number;
  /**
   * Programs that run at a time. Further ones wait. A program that waits for a tool does not count, after a quarter of a
   * second; at most 64 do so. Default 4.
   */
  readonly maxConcurrency?: number;
  /** Limits of the executions that set none. Default `DEFAULT_CODE_LIMITS`. */
  readonly limits?: Partial<CodeLimits>;
  /** Parent of the temporary directory of each process. Default: the system's. */
  readonly tempDir?: string;
  /** Whether to run although links in `cwd` lead out of it. Programs can follow such links. Default false. */
  readonly allowEscapingLinks?: boolean;
  /**
   * Containment of programs in addition to Deno. `auto` takes the strongest kernel containment that the system allows,
   * `required` refuses to run without namespaces, filter and limits, `process` runs without. Default `auto`.
   */
  readonly containment?: Containment;
  /** Called once, by the constructor. Without it the process emits a warning when no wall of the kernel can be had. */
  readonly onContainment?: (report: ContainmentReport) => void;
  /** Wraps each process in another program, such as {@link bubblewrap}, instead of a wall. Default none. */
  readonly wrap?: WrapCommand | undefined;
}

/** The names of the options of a Deno runtime. */
const DENO_OPTIONS: OptionNames<DenoRuntimeOptions> = {
  cwd: true,
  readOnly: true,
  allowedHosts: true,
  denoPath: true,
  prewarm: true,
  maxConcurrency: true,
  limits: true,
  tempDir: true,
  allowEscapingLinks: true,
  containment: true,
  onContainment: true,
  wrap: true,
};

/**
 * Runs each program in a Deno process of its own. The process has no permissions but those that the options grant, and
 * is killed when the program ends.
 *
 * @example
 * ```ts
 * const runtime = new DenoRuntime({ cwd: "/srv/agent/work", allowedHosts: ["api.example.com"], containment: "required" });
 * const registry = registerCodeTool(createToolRegistry(), { runtime });
 * ```
 */
export class DenoRuntime implements CodeRuntime {
  readonly #permissions: Permissions;
  readonly #directory: WorkingDirectory | undefined;
  readonly #programs: RuntimePrograms;
  readonly #allowEscapingLinks: boolean;
  readonly #room: Room;
  readonly #spares: SpareProcesses;
  #closed = false;

  /**
   * @throws {DenoNotFoundError} When there is no Deno to use.
   * @throws {TypeError} When a host is not a plain name or address; or a directory has a comma in its path, is below `/dev`, `/proc`
   *   or `/sys`, or holds Deno, this package or the temporary directory.
   * @throws {RangeError} When a number is out of range.
   * @throws {NoKernelWallError} When `containment` is `required` and a part of the kernel's containment cannot be had.
   */
  constructor(options: DenoRuntimeOptions = {}) {
    checkOptions("create a Deno runtime", options, DENO_OPTIONS);
    const {
      cwd,
      readOnly = false,
      allowedHosts = [],
      denoPath,
      prewarm = 1,
      allowEscapingLinks = false,
      wrap,
      containment = "auto",
      onContainment,
    } = options;
    const program = findDeno({ denoPath });
    this.#programs = new RuntimePrograms(options.limits, options.maxConcurrency);
    const tempDir = realpathSync(options.tempDir ?? tmpdir());
    if (/[\n\r]/.test(tempDir))
      throw new TypeError("Cannot use the directory for temporary files: its path has a line break");
    const idle = checkCount("prewarm", prewarm, 0);
    this.#spares = new SpareProcesses(idle, this.#programs.limits, (own) => this.#start(own));
    this.#allowEscapingLinks = allowEscapingLinks;
    const directory = cwd === undefined ? undefined : checked(cwd, program, tempDir);
    this.#permissions = { cwd: directory, readOnly, network: networkAccess(allowedHosts) };
    this.#directory = directory === undefined ? undefined : new WorkingDirectory(directory);
    this.#room = openRoom({
      program,
      trial: DENO_TRIAL,
      environment: denoEnvironment,
      directory,
      writes: !readOnly,
      network: allowedHosts.length > 0,
      tempDir,
      containment,
      wrap,
      onContainment,
    });
    this.#spares.refill();
  }

  async execute(execution: CodeExecution): Promise<CodeOutcome> {
    try {
      return await this.#programs.admit(
        execution,
        async (limits, permit) =>
          (await this.#refusal(execution.signal)) ?? this.#withFiles(() => this.#run(execution, limits, permit)),
      );
    } finally {
      // Starting a process takes a moment, so the caller gets its result first.
      setImmediate(() => this.#spares.refill()).unref();
    }
  }

  async readFile(file: string, maxBytes: number): Promise<Buffer | undefined> {
    const root = this.#directory?.path;
    return root === undefined ? undefined : readWritten(root, file, maxBytes);
  }

  /** Reports which containment is in use, and why no stronger one is. */
  describeContainment(): ContainmentReport {
    return this.#room.report;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#spares.close();
    await this.#programs.close();
    await this.#room.close();
  }

  /** Closes the runtime at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Names the files that a program has made or changed. */
  async #withFiles(run: () => Promise<CodeOutcome>): Promise<CodeOutcome> {
    if (this.#directory === undefined || this.#permissions.readOnly) return run();
    const since = Date.now();
    const outcome = await run();
    const files = await writtenFiles(this.#directory.path, since);
    return files.length === 0 ? outcome : { ...outcome, files };
  }

  async #run(execution: CodeExecution, limits: CodeLimits, permit: RunPermit): Promise<CodeOutcome> {
    for (;;) {
      if (this.#closed) return notStarted({ kind: "unavailable", message: "the runtime is closed" });
      const spare = this.#spares.take(limits);
      let process: SandboxProcess;
      try {
        process = spare ?? this.#start(limits);
      } catch (error) {
        return notStarted(notStartedError(error instanceof Error ? error.message : String(error)));
      }
      const run = new ProgramRun(process, execution, limits, this.#permissions.cwd, permit);
      const outcome = await this.#programs.outcomeOf(run, execution.signal);
      // An idle process may have died. The program was not sent to it, so another process may run it.
      if (spare !== undefined && !run.begun && outcome.error?.kind === "unavailable") continue;
      return outcome;
    }
  }

  /** The outcome when the working directory forbids a run: it is gone, or links in it lead out. */
  async #refusal(signal: AbortSignal | undefined): Promise<CodeOutcome | undefined> {
    if (this.#directory === undefined) return undefined;
    const state = this.#directory.restore();
    if (typeof state !== "string") {
      return notStarted({
        kind: "unavailable",
        message: `the working directory ${state.fault}; an earlier program or the host may have changed it`,
        hint: "No program can run until the host has made it again. Use the other tools meanwhile",
      });
    }
    // Idle processes may see the directory that was there before.
    if (state === "replaced") this.#spares.clear();
    if (this.#allowEscapingLinks) return undefined;
    let found: EscapingLinks;
    try {
      found = await findEscapingLinks(this.#directory.path, { signal });
    } catch {
      return notStarted(CANCELLED);
    }
    const { links, count: inAll, isPartial } = found;
    if (inAll > 0) {
      const more = inAll > links.length ? `, and ${inAll - links.length} more` : "";
      return notStarted({
        kind: "unavailable",
        message: `the working directory holds links that lead out of it: ${links.join(", ")}${more}`,
        hint: "No program can run until these links are removed. Use the other tools meanwhile, or ask for their removal",
      });
    }
    // The kernel's wall shows nothing that a link could lead to.
    if (!isPartial || this.#room.report.strength === "kernel") return undefined;
    return notStarted({
      kind: "unavailable",
      message:
        "the working directory holds too many files, or too deep directories, to look for links that lead out of it",
      hint: "Use the other tools instead, or ask for a smaller directory",
    });
  }

  #start({ heapMb, rssMb, frameBytes, outputBytes, frameValues }: CodeLimits): SandboxProcess {
    return new SandboxProcess({
      room: this.#room,
      permissions: this.#permissions,
      heapMb,
      rssMb,
      frameBytes: Math.max(frameBytes, outputBytes),
      frameValues,
    });
  }
}

/** The real path of the directory to grant. Refuses a directory that holds files which the sandbox relies on. */
function checked(cwd: string, denoPath: string, tempDir: string): string {
  if (!path.isAbsolute(cwd)) throw new TypeError("Cannot grant the working directory: it is not an absolute path");
  const directory = realpathSync(cwd);
  if (!statSync(directory).isDirectory())
    throw new TypeError("Cannot grant the working directory: it is not a directory");
  const fault = pathFault(directory);
  if (fault !== undefined) throw new TypeError(`Cannot grant the working directory: ${fault}`);
  for (const [what, file] of [
    ["Deno", denoPath],
    ["this package", ownDirectory() ?? denoPath],
    ["the directory for temporary files", tempDir],
  ] as const) {
    if (isWithin(directory, file)) {
      throw new TypeError(
        `Cannot grant the working directory: it holds ${what}, which a program could then change, allowed is a directory of the program's own`,
      );
    }
  }
  return directory;
}

/**
 * The directory of this module, by its real path. `undefined` where a bundler has left an address that is none, or that of
 * another machine.
 */
function ownDirectory(): string | undefined {
  try {
    // Not `new URL(".", import.meta.url)`: bundlers take that for a file to be copied.
    return realpathSync(path.dirname(fileURLToPath(import.meta.url)));
  } catch {
    return undefined;
  }
}
