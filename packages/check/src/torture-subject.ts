import type { z } from "zod";

/** A tool as a torture case describes it, for the subject to build in its own way. */
export interface TortureTool {
  /** Name of the tool, snake_case. */
  readonly name: string;
  /** Describes the tool to a model. */
  readonly description: string;
  /** Zod 4 schema of the parameters, an object at its root. */
  readonly parameters: z.ZodType;
  /** Zod 4 schema of the data of a success. Default none. */
  readonly output?: z.ZodType | undefined;
  /** How long one call may run, in milliseconds. Default the subject's own. */
  readonly timeoutMs?: number | undefined;
  /** Whether a person has to agree to each call. Default false. */
  readonly needsApproval?: boolean | undefined;
  /** Misbehaves in the way the case is about. */
  execute(params: unknown, run: { readonly signal?: AbortSignal | undefined }): unknown;
}

/** The options of a case's call. */
export interface TortureCallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** The provider's id of the call. Default made up. */
  readonly id?: string | undefined;
  /** Receives or refuses the record of each call; may misbehave. */
  readonly record?: ((entry: unknown) => unknown) | undefined;
  /** Receives events; may misbehave. */
  readonly observe?: ((event: unknown) => unknown) | undefined;
  /** Decides about the call; may misbehave. */
  readonly approve?: ((request: unknown) => unknown) | undefined;
}

/** The final result for a model. */
export interface TortureOutcome {
  /** Whether the model is told that the call failed. */
  readonly failed: boolean;
  /** Exactly the text that the model reads. */
  readonly text: string;
}

/** A tool, ready to be called. */
export interface PreparedTool {
  /**
   * Makes one call as a model would ask for it: `sent` is the parameters as an object or as JSON text. Rejects only
   * when the system under test does, and with `NotOfferedError` when it has nothing of the kind.
   */
  call(sent: unknown, options?: TortureCallOptions): Promise<TortureOutcome>;
  /**
   * Makes one call from a provider's whole call, `{ id, name, arguments }` if it is right. Absent if the system does
   * not read calls itself; then cases of damaged calls count as not offered.
   */
  callRaw?(call: unknown, options?: Omit<TortureCallOptions, "id">): Promise<TortureOutcome>;
}

/** A system that runs tools for models, as torture cases see it. */
export interface TortureSubject {
  /** Name of the system. */
  readonly name: string;
  /** Builds a tool. May reject with `NotOfferedError`. */
  prepare(tool: TortureTool): PreparedTool | Promise<PreparedTool>;
}

/**
 * The system under test has nothing of the kind that a case is about, such as timeouts. Neither passed nor failed.
 *
 * @example
 * ```ts
 * const subject = dispatchSubject({
 *   createRegistry: () => {
 *     throw new NotOfferedError("approval");
 *   },
 * });
 * ```
 */
export class NotOfferedError extends Error {
  override readonly name = "NotOfferedError";

  /** True for a `NotOfferedError` of any installed copy of this package. */
  static isInstance(value: unknown): value is NotOfferedError {
    return value instanceof Error && value.name === "NotOfferedError";
  }
}
