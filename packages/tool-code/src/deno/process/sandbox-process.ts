import type { ChildProcessByStdio } from "node:child_process";
import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { batchedWriter } from "../../bridge/batched-writer.ts";
import { childMessageStream, parseChildMessage, type ChildMessage } from "../../bridge/child-message.ts";
import { FrameReader } from "../../bridge/frame-reader.ts";
import { hostMessage } from "../../bridge/host-message.ts";
import type { CodeLimits } from "../../code-limits.ts";
import type { Wall, WrapAccess } from "../wall/wall.ts";
import { denoArguments, type Permissions } from "./deno-command.ts";
import { runLimits, startLimits, type CappedProcess, type KernelLimit } from "./kernel-limits.ts";
import type { OrphanGuard } from "./orphan-guard.ts";
import { firstChild, killGroup, killTree, type StartedProcess } from "./process-tree.ts";
import { makeDirectory, removeDirectory } from "./remove-directory.ts";
import { startWalled } from "./start-walled.ts";

/** How to start a process. */
export interface SandboxOptions extends Pick<CodeLimits, "heapMb" | "rssMb"> {
  /** Path of Deno. */
  readonly denoPath: string;
  /** The resources the program may access. */
  readonly permissions: Permissions;
  /** Size of a message, in bytes. */
  readonly frameBytes: number;
  /** Values in a message. */
  readonly frameValues: number;
  /** Parent of the process's own directory. */
  readonly tempDir: string;
  /** Kills the process when the host is killed. */
  readonly guard: OrphanGuard;
  /** The containment of the process. Default none. */
  readonly wall?: Wall | undefined;
}

/** How a process ended. */
export interface ProcessEnd {
  /** The signal that ended it; `null` for none. */
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started, or how it ended. May name paths of the host. */
  readonly reason: string;
}

/** Receives the events of a process. */
export interface SandboxObserver {
  /** A message; `undefined` for an invalid one. */
  onMessage(message: ChildMessage | undefined): void;
  /** Bytes the program printed. */
  onText(bytes: Buffer): void;
  /** Bytes on standard error. Never expose them: Deno may quote files there that the program must not read. */
  onErrorText(bytes: Buffer): void;
  /** The process has ended and everything it sent has been reported. */
  onEnd(end: ProcessEnd): void;
}

/** Rare in text. */
const RECORD_SEPARATOR = "\u001e";
/** Size of the message around the parameters of a call. */
const FRAME_MARGIN = 4_096;
/** Values of the message around the parameters. */
const VALUES_MARGIN = 16;

/** Loads about as much as a short program. */
const WARM_UP = hostMessage({
  t: "warm",
  code: "export default async () => {\nconst a: readonly number[] = await Promise.all([1]);\nreturn { a };\n};",
});

/** One Deno process, which runs one program and is then killed. */
export class SandboxProcess {
  /** The heap limit it was started with. */
  readonly heapMb: number;
  /** Its temporary directory, unless its temporary files go to the containment's own file system. */
  readonly directory: string | undefined;
  /** Its temporary directory, where that is a file system of the wall, in memory. */
  readonly scratch: string | undefined;
  /** Resolves when the process has ended and its directory is removed. */
  readonly gone: Promise<void>;
  readonly #guard: OrphanGuard;
  #capped: CappedProcess | undefined;
  /** Limits of the kernel that are not set yet. */
  #uncapped: readonly KernelLimit[] = [];
  /** The first process inside of the wall, with which the others end. */
  #first: StartedProcess | undefined;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #write: ReturnType<typeof batchedWriter>;
  #observer: SandboxObserver | undefined;
  readonly #reader: FrameReader;
  #early: ChildMessage | undefined;
  #alive = true;
  #isPaused = false;

  /** @throws {Error} When the process or its directory cannot be created. */
  constructor({ denoPath, permissions, heapMb, rssMb, frameBytes, frameValues, tempDir, guard, wall }: SandboxOptions) {
    this.heapMb = heapMb;
    this.#guard = guard;
    assertUnmoved(permissions.cwd);
    const directory = makeDirectory(tempDir);
    const child = orRemoved(directory, () =>
      startWalled({
        wall,
        denoPath,
        args: denoArguments(permissions, heapMb),
        access: toWrapAccess(permissions, directory),
        input: "pipe",
      }),
    ) as ChildProcessByStdio<Writable, Readable, Readable>;
    this.#child = child;
    this.#write = batchedWriter(child.stdin);
    this.directory = wall?.hasOwnScratch ? undefined : directory;
    this.scratch = wall?.hasOwnScratch ? directory : undefined;
    const { pid } = child;
    if (pid !== undefined) guard.add(pid, directory);
    this.gone = new Promise((resolve) => {
      const onGone = (): void => {
        this.#alive = false;
        // The wrapper may have ended before the program it started.
        killGroup(child);
        this.#first?.kill();
        // `close` is emitted only when the output has been read.
        child.stdout.resume();
        void removeDirectory(directory).then(() => {
          if (pid !== undefined) guard.delete(pid);
          resolve();
        });
      };
      child.once("exit", onGone);
      child.once("error", () => {
        if (child.pid === undefined) onGone();
      });
    });
    let capped = false;
    const maxValues = frameValues + VALUES_MARGIN;
    const onMessage = (message: ChildMessage | undefined): void => {
      if (message?.t === "ready" && !capped && pid !== undefined) {
        capped = true;
        // No code of the program has run yet, so this is the first process inside of the wall, and the others end with it.
        this.#first = firstChild(pid);
        ({ process: this.#capped, limits: this.#uncapped } = startLimits(pid, rssMb) ?? { limits: [] });
      }
      this.#receive(message);
      // A program that waited for its process has set them with its own.
      if (this.#uncapped.length > 0) this.#cap([]);
    };
    const token = `${RECORD_SEPARATOR}${randomBytes(16).toString("hex")}`;
    this.#reader = new FrameReader(token, frameBytes + FRAME_MARGIN, {
      onText: (bytes) => this.#observer?.onText(bytes),
      onFrame: (json) => onMessage(parseChildMessage(json, maxValues)),
      onLongFrame: () => childMessageStream(maxValues, onMessage),
      onOverflow: () => this.#receive(undefined),
    });
    this.#listen();
    child.stdin.on("error", () => undefined);
    child.stdin.write(`${token}\n`);
  }

  /** Whether the process is running. */
  get alive(): boolean {
    return this.#alive;
  }

  /** `undefined` when the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sets the observer, which also gets the first message if that has already arrived. */
  observe(observer: SandboxObserver): void {
    this.#observer = observer;
    if (this.#early !== undefined) observer.onMessage(this.#early);
    this.#early = undefined;
  }

  /** The process that runs the program, inside its containment. */
  get innerPid(): number | undefined {
    return this.#capped?.pid ?? this.pid;
  }

  /** Has the kernel enforce limits of the program, where it can. */
  limit(limits: Pick<CodeLimits, "diskMb" | "cpuMs">): void {
    this.#cap(runLimits(limits));
  }

  /** Sends a JSON text. `sent` is called when it has left, or cannot leave any more. */
  send(json: string, sent: () => void = () => undefined): void {
    this.#write(json, sent);
  }

  /** Stops reading the output of the process, which makes the process wait. */
  pause(): void {
    this.#isPaused = true;
    if (this.#alive) this.#child.stdout.pause();
  }

  /** Continues reading. */
  resume(): void {
    this.#isPaused = false;
    this.#child.stdout.resume();
  }

  /** Sets whether the host's event loop stays alive for this process. */
  hold(held: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
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

  /** Reports text that was withheld as a possible start of a message. */
  flush(): void {
    this.#reader.end();
  }

  /** Kills the process. A program can ignore every signal but SIGKILL. */
  kill(): void {
    this.#observer = undefined;
    this.#reader.stop();
    if (this.#alive) killTree(this.#child, this.#first);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }

  /** Sets these limits and those not set yet by one call of `prlimit`: each is a process or two. */
  #cap(limits: readonly KernelLimit[]): void {
    if (this.#capped !== undefined) this.#guard.cap(this.#capped, [...this.#uncapped, ...limits]);
    this.#uncapped = [];
  }

  #listen(): void {
    const { stdout, stderr } = this.#child;
    stdout.on("data", (bytes: Buffer) => {
      this.#reader.push(bytes);
      if (this.#reader.isInLongFrame) this.#yield();
    });
    stdout.on("end", () => this.#reader.end());
    stderr.on("data", (bytes: Buffer) => this.#observer?.onErrorText(bytes));
    for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
    this.#child.on("error", ({ message }) => this.#observer?.onEnd({ signal: null, reason: message }));
    this.#child.on("close", (code, signal) => {
      const reason = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
      this.#observer?.onEnd({ signal, reason });
    });
  }

  /** Reads on in the next turn of the event loop, which would otherwise read up to 2 MiB in this one. */
  #yield(): void {
    const { stdout } = this.#child;
    stdout.pause();
    setImmediate(() => {
      if (!this.#isPaused || !this.#alive) stdout.resume();
    });
  }

  #receive(message: ChildMessage | undefined): void {
    if (this.#observer !== undefined) return this.#observer.onMessage(message);
    this.#early = message;
    this.send(WARM_UP);
  }
}

/**
 * Containment mounts the directory found at the path when it is made. Anyone who may write beside the directory can put
 * a link in its place.
 *
 * @throws {Error} When the path leads elsewhere.
 */
function assertUnmoved(cwd: string | undefined): void {
  if (cwd !== undefined && realpathSync(cwd) !== cwd)
    throw new Error("Granting the working directory: found a link in its path, allowed is the directory it was");
}

/** Removes the directory when the start fails. */
function orRemoved<Started>(directory: string, start: () => Started): Started {
  try {
    return start();
  } catch (error) {
    void removeDirectory(directory);
    throw error;
  }
}

function toWrapAccess({ cwd, readOnly, network }: Permissions, directory: string): WrapAccess {
  return { directory, cwd, readOnly, network: network.allow.length > 0 };
}
