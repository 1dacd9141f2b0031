import { randomBytes } from "node:crypto";
import type { ProcessEnd, Room, RoomProcess } from "@dispatch/sandbox";
import { batchedWriter } from "../../bridge/batched-writer.ts";
import { childMessageStream, parseChildMessage, type ChildMessage } from "../../bridge/child-message.ts";
import { FrameReader } from "../../bridge/frame-reader.ts";
import { hostMessage } from "../../bridge/host-message.ts";
import type { CodeLimits } from "../../code-limits.ts";
import { denoArguments, type Permissions } from "./deno-command.ts";

/** How to start a process. */
export interface SandboxOptions extends Pick<CodeLimits, "heapMb" | "rssMb" | "frameBytes" | "frameValues"> {
  readonly room: Room;
  readonly permissions: Permissions;
}

/** Receives the events of a process. */
export interface SandboxObserver {
  /** A message; `undefined` for an invalid one. */
  onMessage(message: ChildMessage | undefined): void;
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
  readonly heapMb: number;
  readonly contained: RoomProcess;
  readonly #write: ReturnType<typeof batchedWriter>;
  #observer: SandboxObserver | undefined;
  readonly #reader: FrameReader;
  #early: ChildMessage | undefined;

  /** @throws {Error} When the process or its directory cannot be created. */
  constructor({ room, permissions, heapMb, rssMb, frameBytes, frameValues }: SandboxOptions) {
    this.heapMb = heapMb;
    this.contained = room.spawn(denoArguments(permissions, heapMb));
    this.#write = batchedWriter(this.contained.stdin);
    let isConfined = false;
    const maxValues = frameValues + VALUES_MARGIN;
    const onMessage = (message: ChildMessage | undefined): void => {
      // No code of the program has run yet.
      if (message?.t === "ready" && !isConfined) {
        isConfined = true;
        this.contained.confine(rssMb);
      }
      this.#receive(message);
      // A program that waited for its process has set them with its own.
      this.contained.limit();
    };
    const token = `${RECORD_SEPARATOR}${randomBytes(16).toString("hex")}`;
    this.#reader = new FrameReader(token, frameBytes + FRAME_MARGIN, {
      onText: (bytes) => this.#observer?.onText(bytes),
      onFrame: (json) => onMessage(parseChildMessage(json, maxValues)),
      onLongFrame: () => childMessageStream(maxValues, onMessage),
      onOverflow: () => this.#receive(undefined),
    });
    this.#listen();
    this.contained.stdin.write(`${token}\n`);
  }

  /** Sets the observer, which also gets the first message if that has already arrived. */
  observe(observer: SandboxObserver): void {
    this.#observer = observer;
    if (this.#early !== undefined) observer.onMessage(this.#early);
    this.#early = undefined;
  }

  /** Sends a JSON text. `sent` is called when it has left, or cannot leave any more. */
  send(json: string, sent: () => void = () => undefined): void {
    this.#write(json, sent);
  }

  /** Reports text that was withheld as a possible start of a message. */
  flush(): void {
    this.#reader.end();
  }

  /** Ends it. Nothing is reported any more. */
  kill(): void {
    this.#observer = undefined;
    this.#reader.stop();
    this.contained.kill();
  }

  #listen(): void {
    const { stdout, stderr } = this.contained;
    stdout.on("data", (bytes: Buffer) => {
      this.#reader.push(bytes);
      if (this.#reader.isInLongFrame) this.#yield();
    });
    stdout.on("end", () => this.#reader.end());
    stderr.on("data", (bytes: Buffer) => this.#observer?.onErrorText(bytes));
    this.contained.onEnd((end) => this.#observer?.onEnd(end));
  }

  /** Reads on in the next turn of the event loop, which would otherwise read up to 2 MiB in this one. */
  #yield(): void {
    const { stdout } = this.contained;
    stdout.pause();
    setImmediate(() => stdout.resume());
  }

  #receive(message: ChildMessage | undefined): void {
    if (this.#observer !== undefined) return this.#observer.onMessage(message);
    this.#early = message;
    this.send(WARM_UP);
  }
}
