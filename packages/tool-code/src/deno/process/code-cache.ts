import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { denoArguments, denoEnvironment } from "./deno-command.ts";
import type { OrphanGuard } from "./orphan-guard.ts";
import { inOwnGroup, killGroup } from "./process-group.ts";

/** How the harness is run once. */
export interface CodeCacheOptions {
  /** Path of Deno. */
  readonly denoPath: string;
  /** Heap of the JavaScript engine, in MiB. The engine takes what was compiled with the same only. */
  readonly heapMb: number;
  /** Where the process gets its own folder. */
  readonly tempDir: string;
  /** Kills the process should this one be killed. */
  readonly guard: OrphanGuard;
}

/** Deno's caches are small databases, each with a file of what was written last. */
const CACHE_FILE = /^[a-z\d_]+_cache_v\d+(?:-wal)?$/;
const TIMEOUT_MS = 10_000;

/**
 * What Deno has compiled of the harness and of its own modules, kept in memory: with it a process starts about a tenth
 * faster. It comes from a process that runs no program. Each further process gets a copy in its own folder, where no
 * program may write, and what it adds is removed with it.
 */
export class CodeCache {
  #child: ChildProcess | undefined;
  #files: readonly (readonly [name: string, bytes: Buffer])[] = [];

  /** Runs the harness with no program, and keeps what was compiled. Never rejects: without it all works, more slowly. */
  async prepare(options: CodeCacheOptions): Promise<void> {
    try {
      const folder = mkdtempSync(path.join(options.tempDir, "dispatch-code-"));
      try {
        await this.#runHarness(options, folder);
        const names = (await readdir(folder)).filter((name) => CACHE_FILE.test(name));
        this.#files = await Promise.all(
          names.map(async (name) => [name, await readFile(path.join(folder, name))] as const),
        );
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      }
    } catch {
      // No disk, no process.
    }
  }

  /** Puts a copy into the folder of a process that is to be started. Whether there was anything to put. */
  copyTo(folder: string): boolean {
    for (const [name, bytes] of this.#files) writeFileSync(path.join(folder, name), bytes, { mode: 0o600 });
    return this.#files.length > 0;
  }

  /** Ends what is being compiled, and has this process wait for that. */
  close(): void {
    if (this.#child === undefined) return;
    this.#child.ref();
    killGroup(this.#child);
  }

  /** Without input the harness ends as soon as it is there. */
  #runHarness({ denoPath, heapMb, guard }: CodeCacheOptions, folder: string): Promise<void> {
    const nothing = { cwd: undefined, readOnly: true, network: { allow: [], deny: [] } };
    const child = spawn(denoPath, denoArguments(nothing, heapMb, true), {
      cwd: path.parse(folder).root,
      env: denoEnvironment(folder),
      stdio: "ignore",
      detached: inOwnGroup,
      windowsHide: true,
    });
    child.unref();
    this.#child = child;
    const { pid } = child;
    if (pid !== undefined) guard.add(pid, folder);
    const timer = setTimeout(() => killGroup(child), TIMEOUT_MS).unref();
    return new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) =>
        code === 0 ? resolve() : reject(new Error(`The harness ended with ${String(code)}`)),
      );
    }).finally(() => {
      clearTimeout(timer);
      this.#child = undefined;
      if (pid !== undefined) guard.delete(pid);
    });
  }
}
