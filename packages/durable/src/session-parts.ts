import type { DurableEngine } from "./durable-engine.ts";

/** The parts that the calls of a session share. */
export interface SessionParts {
  readonly engine: DurableEngine;
  /** Name of the session. */
  readonly session: string;
  /** Receives a record that could not be written after the tool had run. */
  readonly onError: (error: unknown) => void;
}
