import { ToolError, type ToolFailure } from "@dispatch/tools-interface";
import { shownText } from "@dispatch/tools-interface/internal";

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
  /** The failure. */
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
