import type { DurableCalls } from "@dispatch/tools-interface/internal";
import type { DurableEngine, DurableTranscript } from "./durable-engine.ts";

/** The calls of one conversation: pass it as `durable` to `dispatch` and `dispatchAll`, and its transcript as `transcript`. */
export interface DurableSession extends DurableCalls {
  /** Its name. */
  readonly name: string;
  /** The transcript on the same database. `undefined` when the engine has none. */
  readonly transcript: DurableTranscript | undefined;
}

/** The parts that the calls of a session share. */
export interface SessionParts {
  readonly engine: DurableEngine;
  /** Name of the session. */
  readonly session: string;
  /** Receives a record that could not be written after the tool had run. */
  readonly onError: (error: unknown) => void;
}
