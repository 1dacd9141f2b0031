import { randomBytes } from "node:crypto";
import { ToolError } from "@dispatch/tools-interface";
import type { CodeOutcome } from "./code-outcome.ts";
import { freeName, type HostFunction } from "./host-function.ts";

/** All that one program printed and returned. */
interface StoredOutput {
  readonly printed: string;
  /** JSON, which takes less memory than the value; `null` when the program returned nothing. */
  readonly returned: string;
}

const FUNCTION_NAME = "readOutput";

/** Size of all stored outputs, in characters. The oldest is dropped first. */
const MAX_STORED_CHARS = 16_000_000;

/**
 * Keeps truncated outputs in memory for later programs. Any program that knows the id of an output may read it. The id
 * cannot be guessed, so conversations that share a tool do not see each other's outputs.
 */
export class OutputStore {
  readonly #stored = new Map<string, { readonly output: StoredOutput; readonly chars: number }>();
  #chars = 0;

  /**
   * Stores a program's printed output and return value. Returns a sentence that explains to a model how to read them.
   *
   * @param stubs The functions of the tools.
   */
  store({ output: printed, value = null, cut }: Pick<CodeOutcome, "output" | "value" | "cut">, stubs: string): string {
    if (cut !== undefined && cut.json === undefined) return "The rest was too long to be kept: return less";
    const id = randomBytes(8).toString("hex");
    const output = { printed, returned: cut?.json ?? JSON.stringify(value) };
    const chars = printed.length + output.returned.length;
    this.#stored.set(id, { output, chars });
    this.#chars += chars;
    for (const [oldest, { chars: freed }] of this.#stored) {
      if (this.#chars <= MAX_STORED_CHARS || oldest === id) break;
      this.#stored.delete(oldest);
      this.#chars -= freed;
    }
    return `Filter it in another program: const { printed, returned } = await ${freeName(FUNCTION_NAME, stubs)}("${id}")`;
  }

  /** `readOutput(id)`: returns a stored output to a program. */
  get readOutput(): HostFunction {
    return {
      name: FUNCTION_NAME,
      parameters: "[id: string]",
      returns: "{ printed: string; returned: any }",
      // The program's text is parsed by a program: there may be any number of values in it.
      result: "{ printed: answer.printed, returned: JSON.parse(answer.returned) }",
      call: ([id]) => {
        const found = typeof id === "string" ? this.#stored.get(id) : undefined;
        if (found !== undefined) return found.output;
        throw new ToolError(
          "Reading an output: there is none of that id, or it is kept no longer. Run the program again, and filter in it",
          { code: "output_not_kept" },
        );
      },
    };
  }
}
