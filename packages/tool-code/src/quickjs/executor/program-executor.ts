import type { SessionMessage, SessionRequest } from "../engine/session-message.ts";

/** Receives the events of a program. */
export interface ExecutorObserver {
  /** The program sent, printed or ended. */
  onMessage(message: SessionMessage): void;
  /** The thread ended, by itself or for lack of memory. */
  onExit(outOfMemory: boolean): void;
  /** Asked where nothing else can end a program that computes. */
  shouldStop(): boolean;
}

/** Where programs run, one after the other: a thread, or the host's own. */
export interface ProgramExecutor {
  readonly alive: boolean;
  /** Resolves when it is ready for the first program. Rejects when it cannot be. */
  readonly ready: Promise<void>;
  run(request: SessionRequest, observer: ExecutorObserver): void;
  /** Passes an answer to the program, JSON. */
  send(json: string): void;
  /** How long the programs have computed, in milliseconds. */
  busyMs(): number;
  /** The program has ended. Whether another one may run here. */
  release(): boolean;
  /** Ends it, even if it resists. */
  kill(): Promise<void>;
}
