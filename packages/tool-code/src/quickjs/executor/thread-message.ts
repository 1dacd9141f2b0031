import type { QuickJsEngine } from "../engine/quickjs-engine.ts";
import type { SessionMessage, SessionRequest } from "../engine/session-message.ts";

/** The data a thread starts with. */
export interface ThreadData {
  /** The engine without its function, which cannot be sent. */
  readonly engine: Omit<QuickJsEngine, "stripTypes">;
  /** The file of the package amaro: a thread loads a parser of its own. */
  readonly amaro: string;
  /** Shared memory of the clock. */
  readonly cells: Float64Array;
  /** Memory of a sandbox that is made ahead of time, in MiB. */
  readonly heapMb: number;
}

/** A message to a thread. `run` numbers the program that it is for. */
export type ToThread =
  | { readonly run: number; readonly request: SessionRequest }
  | { readonly run: number; readonly answer: string }
  | { readonly run: number; readonly stop: true };

/** A message of a thread. The first says that it is ready. */
export type FromThread = "ready" | { readonly run: number; readonly message: SessionMessage };
