import type { DurableCalls } from "../call/durable-call.ts";
import type { Approver, WithContext } from "../call/tool.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { ToolObserver } from "./tool-event.ts";

/** Options of `dispatch` and `dispatchAll`. `context` is required as soon as one of the registry's tools needs one. */
export type DispatchOptions<Context = unknown> = {
  /** Where the call is recorded, with exactly one entry. Default: nowhere. */
  readonly transcript?: Transcript | undefined;
  /**
   * Whether a call that the transcript holds already, with the same turn, id, name and arguments, is answered from there
   * instead of run again. Needs a transcript with `find`, such as `createTranscript()`. Without `turn`, an id that looks
   * numbered, such as `call_0`, may be that of another message: it is answered only the first time in this process, and not
   * for read-only tools. Default true.
   */
  readonly replay?: boolean | undefined;
  /** How long the transcript may take to append one entry, in milliseconds. Default 10,000. */
  readonly recordTimeoutMs?: number | undefined;
  /**
   * Keeps the call where it outlives the process, so that it is neither lost nor run twice: a session of `createDurable` of
   * `@dispatch/durable`. Default: the call ends with its process.
   */
  readonly durable?: DurableCalls | undefined;
  /** Cancels the call. Already aborted: the tool does not start, and the call is recorded as cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Decides about calls that need approval. Without it such calls are denied. */
  readonly approve?: Approver | undefined;
  /** How long `approve` may take, in milliseconds; then the call is denied. Default 600,000 (ten minutes). */
  readonly approvalTimeoutMs?: number | undefined;
  /** Most characters of one result that a model is shown. The smallest limit of tool, registry and call counts. */
  readonly maxOutputChars?: number | undefined;
  /** Receives events as they happen, those of nested calls included. */
  readonly onEvent?: ToolObserver | undefined;
} & WithContext<Context>;

/** Options of `dispatchAll`. */
export type DispatchAllOptions<Context = unknown> = DispatchOptions<Context> & {
  /** How many calls may run at the same time, at least one. Default 8. */
  readonly maxConcurrency?: number;
};
