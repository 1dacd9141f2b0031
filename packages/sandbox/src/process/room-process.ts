import type { ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Wall, WrapAccess } from "../wall/wall.ts";
import { DiskWatch, type DiskWatchOptions } from "./disk-watch.ts";
import { heldBytes, type HeldBytes } from "./held-bytes.ts";
import { runLimits, startLimits, type CappedProcess, type KernelLimit, type RunLimits } from "./kernel-limits.ts";
import type { OrphanGuard } from "./orphan-guard.ts";
import { firstChildKiller, killGroup, killTree } from "./process-tree.ts";
import { processUsage, type ProcessUsage } from "./process-usage.ts";
import { removeDirectory } from "./remove-directory.ts";
import { startWalled } from "./start-walled.ts";

/** The process to start, and its room. */
export interface RoomProcessOptions {
  readonly wall: Wall | undefined;
  /** Ends it when the host is killed. */
  readonly guard: OrphanGuard;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly access: WrapAccess;
}

/** How a process ended. */
export interface ProcessEnd {
  /** The signal that ended it; `null` for none. */
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started, or how it ended. May name paths of the host. */
  readonly reason: string;
}

/** A process in a room, with all that it starts. */
export class RoomProcess {
  /** What it reads. */
  readonly stdin: Writable;
  /** What it prints. */
  readonly stdout: Readable;
  /** What it prints there. */
  readonly stderr: Readable;
  /** Resolves when it has ended and its temporary directory is removed. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #guard: OrphanGuard;
  readonly #access: WrapAccess;
  /** Whether its temporary directory is a file system of the wall, in memory. */
  readonly #hasOwnScratch: boolean;
  #capped: CappedProcess | undefined;
  /** Limits of the kernel that are not set yet. */
  #uncapped: readonly KernelLimit[] = [];
  /** Kills the first process inside of the wall, with which the others end. */
  #killFirst: (() => void) | undefined;
  #alive = true;

  /** @throws {Error} When the process cannot be created. */
  constructor({ wall, guard, program, args, env, access }: RoomProcessOptions) {
    const child = startWalled({ wall, program, args, env, access, input: "pipe" }) as ChildProcessByStdio<
      Writable,
      Readable,
      Readable
    >;
    const { pid, stdin, stdout, stderr } = child;
    this.#child = child;
    this.#guard = guard;
    this.#access = access;
    this.#hasOwnScratch = wall?.hasOwnScratch ?? false;
    [this.stdin, this.stdout, this.stderr] = [stdin, stdout, stderr];
    for (const stream of [stdin, stdout, stderr]) stream.on("error", () => undefined);
    if (pid !== undefined) guard.add(pid, access.directory);
    this.gone = new Promise((resolve) => {
      const onGone = (): void => {
        this.#alive = false;
        // The wrapper may have ended before the program it started.
        killGroup(child);
        this.#killFirst?.();
        // `close` is emitted only when the output has been read.
        stdout.resume();
        void removeDirectory(access.directory).then(() => {
          if (pid !== undefined) guard.delete(pid);
          resolve();
        });
      };
      child.once("exit", onGone);
      child.once("error", () => {
        if (pid === undefined) onGone();
      });
    });
  }

  /** Whether it is running. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Calls back when it has ended and all its output was read, or when it could not be started. */
  onEnd(listener: (end: ProcessEnd) => void): void {
    this.#child.on("error", ({ message }) => listener({ signal: null, reason: message }));
    this.#child.on("close", (code, signal) =>
      listener({ signal, reason: signal === null ? `it ended with code ${code}` : `it was ended by ${signal}` }),
    );
  }

  /** Looks at its processes, before untrusted code runs in it: the first inside of the wall is found only then. */
  confine(rssMb: number): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    this.#killFirst = firstChildKiller(pid);
    ({ process: this.#capped, limits: this.#uncapped } = startLimits(pid, rssMb) ?? { limits: [] });
  }

  /**
   * Has the kernel enforce the limits of `confine` that are not set yet, and those of the program, where it can: by one
   * call of `prlimit`, which is a process or two.
   */
  limit(limits?: RunLimits): void {
    const all = limits === undefined ? this.#uncapped : [...this.#uncapped, ...runLimits(limits)];
    if (this.#capped !== undefined && all.length > 0) this.#guard.cap(this.#capped, all);
    this.#uncapped = [];
  }

  /** What it uses, with all that it has started. `undefined` where the system does not say, and when it is gone. */
  usage(): ProcessUsage | undefined {
    return processUsage(this.#child.pid);
  }

  /** What the program holds beside. */
  held(): HeldBytes {
    const scratch = this.#hasOwnScratch ? this.#access.directory : undefined;
    return heldBytes({ pid: this.#capped?.pid ?? this.#child.pid, scratch });
  }

  /** Watches what it adds to the disk from now on. */
  watchDisk(options: Pick<DiskWatchOptions, "maxBytes" | "onExceeded">): DiskWatch {
    const { cwd, directory } = this.#access;
    return new DiskWatch({ ...options, cwd, directory: this.#hasOwnScratch ? undefined : directory });
  }

  /** Sets whether the host's event loop stays alive for this process. */
  hold(held: boolean): void {
    const { stdin, stdout, stderr } = this;
    for (const handle of [this.#child, stdin, stdout, stderr] as unknown as Partial<NodeJS.RefCounted>[]) {
      try {
        // Bun's streams have neither.
        if (held) handle.ref?.();
        else handle.unref?.();
      } catch {
        // Deno's have both, and throw for a child that could not be started.
      }
    }
  }

  /** Ends it, with all it has started. A program can ignore every signal but SIGKILL. */
  kill(): void {
    if (this.#alive) killTree(this.#child, this.#killFirst);
    for (const stream of [this.stdin, this.stdout, this.stderr]) stream.destroy();
  }
}
