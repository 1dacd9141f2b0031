import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { CheckedProgram, CodeDiagnostic, TypeChecker } from "../../type-checker.ts";
import { denoEnvironment } from "../process/deno-command.ts";
import { OrphanGuard } from "../process/orphan-guard.ts";
import { inOwnGroup, killGroup } from "../process/process-group.ts";
import { processUsage } from "../process/process-usage.ts";
import type { WrapCommand } from "../process/wrap-command.ts";
import { checkableSource } from "./checkable-source.ts";
import { readDiagnostics } from "./read-diagnostics.ts";

/** Options of {@link DenoTypeChecker}. */
export interface DenoTypeCheckerOptions {
  /** Path of Deno. */
  readonly denoPath: string;
  /** Parent of the temporary directory of each check. */
  readonly tempDir: string;
  /** Time for a check, in milliseconds. A check that takes longer finds nothing. Default 5,000. */
  readonly timeoutMs?: number;
  /** Wraps each check in another program. It accesses only its own directory. Default none. */
  readonly wrap?: WrapCommand | undefined;
}

/** A check takes about a second. */
const DEFAULT_TIMEOUT_MS = 5_000;
/** Interval of the checks of its memory. */
const WATCH_MS = 25;
/** A check takes about 200 MiB. */
const HEAP_MB = 384;
const RSS_BYTES = 640 * 1024 * 1024;
const MAX_OUTPUT_CHARS = 262_144;

/**
 * Checks programs with the compiler in Deno, in a process that is killed when it takes too much time or memory. Deno
 * needs no permission to read files when it checks types, so a program that could make it read one is not checked.
 */
export class DenoTypeChecker implements TypeChecker {
  readonly #options: DenoTypeCheckerOptions;
  readonly #guard = new OrphanGuard();
  readonly #controller = new AbortController();
  #busy = false;

  constructor(options: DenoTypeCheckerOptions) {
    this.#options = options;
  }

  /** Finds nothing while another program is checked: a mere hint must not take the whole machine. */
  async check({ code, stubs, signal }: CheckedProgram): Promise<readonly CodeDiagnostic[]> {
    const checkable = checkableSource(code, stubs);
    if (checkable === undefined || this.#busy || this.#controller.signal.aborted) return [];
    this.#busy = true;
    try {
      const text = await this.#run(checkable.source, signal);
      return readDiagnostics(text, { lines: code.split(/\r\n?|\n/).length, offset: checkable.offset });
    } catch {
      // Without a disk or a process there are no hints.
      return [];
    } finally {
      this.#busy = false;
    }
  }

  /** Ends the current check. */
  close(): void {
    this.#controller.abort();
    this.#guard.close();
  }

  async #run(source: string, signal: AbortSignal | undefined): Promise<string> {
    const directory = await mkdtemp(path.join(this.#options.tempDir, "dispatch-check-"));
    try {
      const file = path.join(directory, "main.ts");
      await writeFile(file, source, { mode: 0o600 });
      return await this.#deno(file, directory, signal);
    } finally {
      await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    }
  }

  #deno(file: string, directory: string, signal: AbortSignal | undefined): Promise<string> {
    const { denoPath, timeoutMs = DEFAULT_TIMEOUT_MS, wrap } = this.#options;
    const access = { directory, cwd: undefined, readOnly: true, network: false };
    const [command, args] = wrap?.(denoPath, checkArguments(file), access) ?? [denoPath, checkArguments(file)];
    const child = spawn(command, args, {
      cwd: directory,
      env: denoEnvironment(directory),
      stdio: ["ignore", "ignore", "pipe"],
      detached: inOwnGroup,
      windowsHide: true,
    });
    const { pid } = child;
    if (pid !== undefined) this.#guard.add(pid, directory);
    const kill = (): void => killGroup(child);
    const timer = setTimeout(kill, timeoutMs);
    const watch = setInterval(() => {
      if ((processUsage(pid)?.rssBytes ?? 0) > RSS_BYTES) kill();
    }, WATCH_MS);
    const ends = [this.#controller.signal, ...(signal ? [signal] : [])];
    for (const end of ends) end.addEventListener("abort", kill);
    if (ends.some(({ aborted }) => aborted)) kill();
    let text = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (piece: string) => {
      text += piece;
      if (text.length > MAX_OUTPUT_CHARS) kill();
    });
    return new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      // The output of a killed check is incomplete and may end anywhere.
      child.once("close", (_code, killed) => resolve(killed === null ? text : ""));
    }).finally(() => {
      clearTimeout(timer);
      clearInterval(watch);
      for (const end of ends) end.removeEventListener("abort", kill);
      if (pid !== undefined) this.#guard.delete(pid);
    });
  }
}

/** A check that loads nothing from anywhere. There are no permissions to take away: Deno checks types without asking. */
function checkArguments(file: string): readonly string[] {
  return [
    "check",
    "--quiet",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--no-npm",
    "--deny-import",
    "--no-code-cache",
    `--v8-flags=--max-old-space-size=${HEAP_MB}`,
    file,
  ];
}
