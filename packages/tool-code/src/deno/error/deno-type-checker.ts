import type { ChildProcessByStdio } from "node:child_process";
import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import type { CheckedProgram, CodeDiagnostic, TypeChecker } from "../../type-checker.ts";
import { OrphanGuard } from "../process/orphan-guard.ts";
import { killTree } from "../process/process-group.ts";
import { processUsage } from "../process/process-usage.ts";
import { removeDirectory } from "../process/remove-directory.ts";
import { startWalled } from "../process/start-walled.ts";
import type { Wall } from "../wall/wall.ts";
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
  /** What each check runs in. It accesses only its own directories. Default nothing. */
  readonly wall?: Wall | undefined;
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
      // A wall shows the program as the only file of a working directory, beside a temporary directory.
      const cwd = path.join(directory, "source");
      const own = path.join(directory, "own");
      for (const place of [cwd, own]) await mkdir(place);
      await writeFile(path.join(cwd, "main.ts"), source);
      // The check may run as another user, whatever the host's umask is. Nobody else can enter the directory around it.
      await Promise.all([chmod(cwd, 0o755), chmod(path.join(cwd, "main.ts"), 0o644)]);
      return await this.#deno(path.join(cwd, "main.ts"), own, signal);
    } finally {
      await removeDirectory(directory, ["source", "own"]);
    }
  }

  #deno(file: string, directory: string, signal: AbortSignal | undefined): Promise<string> {
    const { denoPath, timeoutMs = DEFAULT_TIMEOUT_MS, wall } = this.#options;
    const child = startWalled({
      wall,
      denoPath,
      args: checkArguments(file),
      access: { directory, cwd: path.dirname(file), readOnly: true, network: false },
      input: "ignore",
    }) as ChildProcessByStdio<null, Readable, Readable>;
    child.stdout.resume();
    const { pid } = child;
    if (pid !== undefined) this.#guard.add(pid, path.dirname(directory));
    const kill = (): void => killTree(child);
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
      child.on("error", reject);
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
