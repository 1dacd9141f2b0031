import type { AnyTool } from "../call/tool.ts";
import { unknownOption, type OptionNames } from "../error/check-options.ts";
import { InvalidToolError } from "../error/tool-error.ts";
import { isJsonObject } from "../json/json.ts";

/** Who a tool can be offered to: models, and programs such as those of `execute_code`. */
export type OfferedCaller = "model" | "program";

/** Options of `register`: how the tools are offered. */
export interface RegisterOptions {
  /**
   * Who may call the tools. `["program"]`: they are not advertised to models, functions for programs are made of them,
   * and a model's own call is refused with `caller_not_allowed`; `["model"]` the other way round. Tools may call any
   * other. `[]`: advertised to nobody, but a call that comes all the same runs, so that a restored transcript can be
   * continued. Default: both.
   */
  readonly callers?: readonly OfferedCaller[];
  /**
   * Whether models see the tools only once they have found them with the registry's search tool. A call that comes
   * earlier runs all the same. Default: as the registry's `deferAboveTokens` says.
   */
  readonly defer?: boolean;
}

/** How a registry offers one of its tools. */
export interface ToolOffer {
  /** The tool. */
  readonly tool: AnyTool;
  /** Who may call it; empty for a tool that is advertised to nobody. */
  readonly callers: readonly OfferedCaller[];
  /** The option `defer`, as it was registered. */
  readonly defer: boolean | undefined;
  /** Whether models have to find it before they see it. */
  readonly isDeferred: boolean;
}

const NAMES: OptionNames<RegisterOptions> = { callers: true, defer: true };
const EVERYBODY: readonly OfferedCaller[] = Object.freeze(["model", "program"]);

/**
 * The options of `register`, checked and with their defaults.
 *
 * @throws {InvalidToolError} When one is something else than allowed.
 */
export function checkRegisterOptions(options: RegisterOptions): Omit<ToolOffer, "tool" | "isDeferred"> {
  if (!isJsonObject(options)) {
    const found = options === null ? "null" : Array.isArray(options) ? "a list" : `of type ${typeof options}`;
    throw new InvalidToolError(`Cannot register tools: the options are ${found}, allowed is an object`);
  }
  const { callers = EVERYBODY, defer } = options;
  const unknown = unknownOption(options, NAMES);
  if (unknown !== undefined) throw new InvalidToolError(`Cannot register tools: ${unknown}`);
  if (!Array.isArray(callers) || !callers.every((caller: unknown) => caller === "model" || caller === "program")) {
    throw new InvalidToolError(
      `Cannot register tools for ${JSON.stringify(callers)}: allowed callers are a list of "model" and "program"`,
    );
  }
  if (defer !== undefined && typeof defer !== "boolean") {
    throw new InvalidToolError(`Cannot register tools: defer is of type ${typeof defer}, allowed is a boolean`);
  }
  return { callers: Object.freeze([...new Set(callers)]), defer };
}
