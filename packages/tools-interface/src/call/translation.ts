import { ToolError } from "../error/tool-error.ts";
import { isJsonObject } from "../json/json.ts";
import type { Repair } from "../repair/repair.ts";
import { failure, type ToolFailure } from "../result/tool-result.ts";

/** The meaning of a call that was made in the form of another tool. */
export interface Translation {
  /** The parameters as this tool takes them. They are checked like those of any call. */
  readonly params: Readonly<Record<string, unknown>>;
  /** One short sentence for each change, without a full stop: `"file_path" was taken for "path"`. */
  readonly changes: readonly string[];
}

/** Reads a call that was made in the shape of another tool. `undefined`: there is nothing to change. */
export type Translate = (sent: Readonly<Record<string, unknown>>) => Translation | undefined;

/** A translated call and the changes made to it. */
interface Translated {
  readonly params: unknown;
  readonly repairs: readonly Repair[];
}

/** Translates the parameters of a call. A `ToolError` that is thrown refuses the call. Never throws. */
export function translated(name: string, translate: Translate, sent: unknown): Translated | ToolFailure | undefined {
  if (!isJsonObject(sent)) return undefined;
  try {
    const translation = translate(sent);
    if (translation === undefined) return undefined;
    const { params, changes } = translation;
    return { params, repairs: changes.map((message) => ({ path: [], kind: "translated", message })) };
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) return undefined;
    return failure(`Cannot call ${name} with these parameters: ${thrown.message}`, {
      code: "invalid_params",
      effects: "none",
    });
  }
}
