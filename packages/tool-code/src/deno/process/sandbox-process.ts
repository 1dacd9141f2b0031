import { spawn, type ChildProcessByStdio } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { parseChildMessage, type ChildMessage } from "../bridge/child-message.ts";
import { FrameReader } from "../bridge/frame-reader.ts";
import { denoArguments, denoEnvironment, type Permissions } from "./deno-command.ts";
import { memoryCap } from "./memory-cap.ts";
import type { OrphanGuard } from "./orphan-guard.ts";
import { inOwnGroup, killGroup } from "./process-group.ts";
import type { WrapCommand, WrapPlace } from "./wrap-command.ts";

/** How a process is started. */
export interface SandboxOptions {
  /** Path of Deno. */
  readonly denoPath: string;
  /** What the program may use. */
  readonly permissions: Permissions;
  /** Heap of the JavaScript engine, in MiB. */
  readonly heapMb: number;
  /** Memory of the whole process, in MiB; the kernel refuses it half as much again, where that can be arranged. */
  readonly rssMb: number;
  /** Longest message, in bytes. */
  readonly frameBytes: number;
  /** Where the process gets its own folder. */
  readonly tempDir: string;
  /** Kills the process should this one be killed. */
  readonly guard: OrphanGuard;
  /** Puts a program around the process. Default none. */
  readonly wrap?: WrapCommand | undefined;
}

/** What a process does. */
export interface SandboxObserver {
  /** A message. `undefined` stands for one that cannot be understood. */
  onMessage(message: ChildMessage | undefined): void;
  /** Bytes the program printed. */
  onText(bytes: Buffer): void;
  /** Bytes on standard error. Deno may quote files there that the program must not read: never pass them on. */
  onErrorText(bytes: Buffer): void;
  /** The process has ended and everything it sent has been reported. */
  onEnd(signal: NodeJS.Signals | null): void;
}

/** Hardly ever in text. */
const RECORD_SEPARATOR = "\u001e";
/** More than the parameters of a call: the message around them. */
const FRAME_MARGIN = 4_096;

/** One Deno process. Runs one program, then it is killed: nothing of it is used again. */
export class SandboxProcess {
  /** Fixed at the start, in MiB. */
  readonly heapMb: number;
  /** Settles when the process is gone and its folder with it. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #observer: SandboxObserver | undefined;
  readonly #reader: FrameReader;
  #early: ChildMessage | undefined;
  #alive = true;

  /** @throws {Error} When the process or its folder cannot be made. */
  constructor({ denoPath, permissions, heapMb, rssMb, frameBytes, tempDir, guard, wrap }: SandboxOptions) {
    this.heapMb = heapMb;
    const folder = mkdtempSync(path.join(tempDir, "dispatch-code-"));
    const child = start(folder, () => {
      const args = denoArguments(permissions, heapMb);
      return wrap?.(denoPath, args, toPlace(permissions, folder)) ?? [denoPath, args];
    });
    this.#child = child;
    const { pid } = child;
    if (pid !== undefined) guard.add(pid, folder);
    this.gone = new Promise((resolve) => {
      const settle = (): void => {
        this.#alive = false;
        // A program around it may have ended without what it started.
        killGroup(child);
        // Its end is heard of only when all it sent has been read.
        child.stdout.resume();
        // A killed process lets go of its files a moment later on Windows.
        void rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
          .catch(() => undefined)
          .then(() => {
            if (pid !== undefined) guard.delete(pid);
            resolve();
          });
      };
      child.once("exit", settle);
      child.once("error", () => {
        if (child.pid === undefined) settle();
      });
    });
    let capped = false;
    const token = `${RECORD_SEPARATOR}${randomBytes(16).toString("hex")}`;
    this.#reader = new FrameReader(token, frameBytes + FRAME_MARGIN, {
      onText: (bytes) => this.#observer?.onText(bytes),
      onFrame: (json) => {
        const message = parseChildMessage(json);
        if (message?.t === "ready" && !capped && pid !== undefined) {
          capped = true;
          const cap = memoryCap(pid, rssMb);
          if (cap !== undefined) guard.cap(cap);
        }
        this.#receive(message);
      },
      onOverflow: () => this.#receive(undefined),
    });
    this.#listen();
    child.stdin.on("error", () => undefined);
    child.stdin.write(`${token}\n`);
    yieldFirst(pid);
  }

  /** Whether the process still runs. */
  get alive(): boolean {
    return this.#alive;
  }

  /** `undefined` when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Who hears of the process from now on; of its first message also when that came before. */
  observe(observer: SandboxObserver): void {
    this.#observer = observer;
    if (this.#early !== undefined) observer.onMessage(this.#early);
    this.#early = undefined;
  }

  /** Sends a message, which must be JSON. `sent` is called once the process has taken it, or cannot any more. */
  send(json: string, sent?: () => void): void {
    this.#child.stdin.write(`${json}\n`, () => sent?.());
  }

  /** Stops reading what the process sends, which makes it wait. */
  pause(): void {
    if (this.#alive) this.#child.stdout.pause();
  }

  /** Goes on reading. */
  resume(): void {
    this.#child.stdout.resume();
  }

  /** Whether the host's own process waits for this one before it ends. */
  hold(held: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const handle of [this.#child, stdin, stdout, stderr] as unknown as { ref(): void; unref(): void }[]) {
      if (held) handle.ref();
      else handle.unref();
    }
  }

  /** Reports text that was held back because it could have been the start of a message. */
  flush(): void {
    this.#reader.end();
  }

  /** Ends the process at once. A program can ignore every other signal. */
  kill(): void {
    this.#observer = undefined;
    if (this.#alive) killGroup(this.#child);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }

  #listen(): void {
    const { stdout, stderr } = this.#child;
    stdout.on("data", (bytes: Buffer) => this.#reader.push(bytes));
    stdout.on("end", () => this.#reader.end());
    stderr.on("data", (bytes: Buffer) => this.#observer?.onErrorText(bytes));
    for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
    this.#child.on("error", () => this.#observer?.onEnd(null));
    this.#child.on("close", (_code, signal) => this.#observer?.onEnd(signal));
  }

  #receive(message: ChildMessage | undefined): void {
    if (this.#observer === undefined) this.#early = message;
    else this.#observer.onMessage(message);
  }
}

/** Starts what `prepare` returns; when that fails, its folder is removed. */
function start(
  folder: string,
  prepare: () => readonly [command: string, args: readonly string[]],
): ChildProcessByStdio<Writable, Readable, Readable> {
  try {
    const [command, args] = prepare();
    return spawn(command, args, {
      // The program goes to its folder later: nothing in there has a say in how the process starts.
      cwd: path.parse(folder).root,
      env: denoEnvironment(folder),
      stdio: ["pipe", "pipe", "pipe"],
      detached: inOwnGroup,
      shell: false,
      windowsHide: true,
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function toPlace({ cwd, readOnly, network }: Permissions, folder: string): WrapPlace {
  return { folder, cwd, readOnly, network: network.allow.length > 0 };
}

/** Should memory run out, Linux ends this process before any other. */
function yieldFirst(pid: number | undefined): void {
  if (process.platform !== "linux" || pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // Gone already, or not allowed: only a precaution.
  }
}
