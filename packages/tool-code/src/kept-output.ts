import { randomBytes } from "node:crypto";
import { ToolError } from "@dispatch/tools-interface";
import type { CodeOutcome } from "./code-outcome.ts";
import { freeName, type HostFunction } from "./host-function.ts";

/** All that a program printed and returned. */
interface KeptOutput {
  readonly printed: string;
  /** `null` when nothing was. */
  readonly returned: unknown;
}

const READER = "readOutput";

/** How much is kept in all, in characters: the oldest goes first. */
const MAX_KEPT_CHARS = 16_000_000;

/**
 * Keeps the outputs that were too long to show, in memory, for programs that come later. Whoever knows its id may read an
 * output, and an id cannot be guessed: conversations that share a tool do not see each other's.
 */
export class KeptOutputs {
  readonly #kept = new Map<string, { readonly output: KeptOutput; readonly chars: number }>();
  #chars = 0;

  /** Keeps what a program printed and returned, and tells a model how to read it. `stubs` are those of the tools. */
  keep({ output: printed, value: returned = null }: Pick<CodeOutcome, "output" | "value">, stubs: string): string {
    const id = randomBytes(8).toString("hex");
    const output = { printed, returned };
    const chars = printed.length + JSON.stringify(returned).length;
    this.#kept.set(id, { output, chars });
    this.#chars += chars;
    for (const [oldest, { chars: freed }] of this.#kept) {
      if (this.#chars <= MAX_KEPT_CHARS || oldest === id) break;
      this.#kept.delete(oldest);
      this.#chars -= freed;
    }
    return `Filter it in another program: const { printed, returned } = await ${freeName(READER, stubs)}("${id}")`;
  }

  /** `readOutput(id)`: an output, for a program that filters it instead of showing it. */
  get reader(): HostFunction {
    return {
      name: READER,
      parameters: "[id: string]",
      answers: "{ printed: string; returned: any }",
      answer: ([id]) => {
        const found = typeof id === "string" ? this.#kept.get(id) : undefined;
        if (found !== undefined) return found.output;
        throw new ToolError(
          "Reading an output: there is none of that id, or it is kept no longer. Run the program again, and filter in it",
          { code: "output_not_kept" },
        );
      },
    };
  }
}
