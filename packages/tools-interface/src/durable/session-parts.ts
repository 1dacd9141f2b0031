import type { DurableEngine } from "./durable-engine.ts";

/** What a call of a session shares with its others. */
export interface SessionParts {
  readonly engine: DurableEngine;
  /** Name of the session. */
  readonly session: string;
  /** Is told of a record that could not be written after the tool had run. */
  readonly onError: (error: unknown) => void;
}
