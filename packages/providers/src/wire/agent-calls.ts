import {
  type AnyToolRegistry,
  type DispatchOptions,
  type ToolCall,
  ToolError,
  type ToolFailure,
  type ToolResult,
} from "@dispatch/tools-interface";
import { shownText } from "@dispatch/tools-interface/internal";

/** The context that a registry's tools need, all together. */
export type ContextOfRegistry<Registry extends AnyToolRegistry> = Parameters<
  Registry["dispatchAll"]
>[1] extends infer Options
  ? NonNullable<Options> extends { readonly context?: infer Context }
    ? Context
    : unknown
  : unknown;

/** Dispatch options of every call of an agent, as a format sees them. */
export type AgentDispatchOptions = DispatchOptions & { readonly context?: unknown };

/**
 * `Known`, by which callbacks among inferred options get the types of their parameters, and each other option refused by
 * its name. Inferred options are not checked for others otherwise.
 */
export type NoOthers<Options, Known> = Known & {
  readonly [Key in Exclude<keyof Options, keyof Known>]?: UnknownOption<Key>;
};

/** Something that no value is: where the compiler names it, an option has a name that is unknown. */
interface UnknownOption<Name> {
  readonly "unknown option": Name;
}

/** Dispatches a call that an agent's library makes. The library's signal cancels it besides the one that was given. */
export function dispatchForAgent(
  registry: AnyToolRegistry,
  call: ToolCall,
  given: AgentDispatchOptions,
  own: AbortSignal | undefined,
): Promise<ToolResult> {
  const signal = given.signal && own ? AbortSignal.any([given.signal, own]) : (own ?? given.signal);
  return registry.dispatch(call, { ...given, signal });
}

/**
 * The failure of a call as an error, for libraries in which a tool fails by throwing. Its message is the text for the model.
 *
 * @example
 * ```ts
 * try {
 *   await run(agent, prompt); // with `errorFunction: null`
 * } catch (error) {
 *   if (FailedCallError.isInstance(error)) console.error(error.code, error.message);
 * }
 * ```
 */
export class FailedCallError extends ToolError {
  override readonly name = "FailedCallError";
  readonly result: ToolFailure;

  constructor(result: ToolFailure) {
    super(shownText(result), { code: result.code });
    this.result = result;
  }

  /** The message alone: AI SDK 7 shows a model this text. */
  override toString(): string {
    return this.message;
  }
}
