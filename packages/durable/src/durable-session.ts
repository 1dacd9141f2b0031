import type { DurableCalls } from "@dispatch/tools-interface/internal";
import type { DurableTranscript } from "./durable-engine.ts";

/** The calls of one conversation: pass it as `durable` to `dispatch` and `dispatchAll`, and its transcript as `transcript`. */
export interface DurableSession extends DurableCalls {
  /** Its name. */
  readonly name: string;
  /** The transcript on the same database. `undefined` when the engine has none. */
  readonly transcript: DurableTranscript | undefined;
}
