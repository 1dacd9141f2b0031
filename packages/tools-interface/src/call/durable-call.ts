import type { ToolFailure, ToolResult } from "../result/tool-result.ts";
import type { ParentCall, SentCall } from "./parse-call.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";

/**
 * Abilities of a durable call beside its work. Names are unique within the call: the same name means the same step or
 * question when the call is begun again by another process.
 */
export interface DurableRun {
  /**
   * Runs work once and records its result, which must be JSON. When the call is begun again, the recorded result is answered and
   * nothing runs. Killed between work and record, the work runs again: only for work that may, such as asking a model.
   */
  step<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result>;
  /**
   * Asks a question that anybody may answer from another process, and waits. The question outlives this process.
   * `undefined` when there is no answer in `patienceMs`; it stays open, and the call may ask for it again.
   */
  wait(name: string, question: unknown, options?: WaitOptions): Promise<WaitAnswer | undefined>;
}

/** Options of a wait. */
export interface WaitOptions {
  /** `question`, `timer`, or a word of the host's own. Default `question`. */
  readonly kind?: string;
  /** After how many milliseconds the question lapses, from when it was first asked. Default: never. */
  readonly expiresInMs?: number;
  /** How long to wait here, in milliseconds. 0 only asks. Default: until the question lapses or the call ends. */
  readonly patienceMs?: number;
  /** Stops waiting here. The question stays open. */
  readonly signal?: AbortSignal;
}

/** The outcome of a question. */
export type WaitAnswer =
  | { readonly lapsed: false; readonly answer: unknown }
  | { readonly lapsed: true; readonly answer?: undefined };

/** The tool of a durable call, as far as its recovery depends on it. */
export interface DurableTool {
  readonly name: string;
  readonly annotations: ToolAnnotations;
  readonly fingerprint: () => string;
  /** Whether `execute` may be begun again, because all its effects are nested calls and steps. */
  readonly resumable: boolean;
  /** Asks the destination for the outcome of the effect. `undefined` if the tool cannot. */
  readonly reconcile: (() => Promise<ToolResult | undefined>) | undefined;
}

/** One durable call. */
export interface DurableCall {
  /** The calls around it, outermost first. */
  readonly parents: readonly ParentCall[];
  /** The id of the call; made from its identity when it came without one. */
  readonly callId: string;
  /** Becomes `run.effectId`. */
  readonly effectId: string;
  /** Whether a process that died had begun it already: nobody is asked for approval again. */
  readonly isApproved: boolean;
  /** Becomes `run.durable`. */
  readonly run: DurableRun;
  /**
   * Runs the whole call, from its arguments to its result, unless its result is known. Never rejects.
   *
   * @param fingerprint That of the tool which would run, or nothing if there is none.
   */
  dispatch(run: () => Promise<ToolResult>, fingerprint: () => string | undefined): Promise<ToolResult>;
  /** Runs the tool's work once. Never rejects. */
  execute(
    tool: DurableTool,
    begin: () => ToolResult | Promise<ToolResult>,
    signal: AbortSignal | undefined,
  ): Promise<ToolResult>;
}

/** Records calls where they outlive the process. `durable.session()` of `@dispatch/durable` makes one. */
export interface DurableCalls {
  /**
   * Identifies a call by its data, before anything of it runs. Refuses one that it could not identify again.
   *
   * @param parents The calls around it, outermost first.
   * @param within The record of the last of them.
   */
  keep(call: SentCall, parents: readonly ParentCall[], within: DurableCall | undefined): DurableCall | ToolFailure;
}
