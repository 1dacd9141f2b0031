import type { Tool } from "../call/tool.ts";
import { checkOptions } from "../error/check-options.ts";
import { ToolError } from "../error/tool-error.ts";
import type { OutputKeeper } from "../result/limit-output.ts";
import { success } from "../result/tool-result.ts";
import { defineTool } from "./define-tool.ts";

/** Options of {@link createOutputArchive}. */
export interface OutputArchiveOptions {
  /** How many characters are kept in all; the oldest outputs go first. Default 16,000,000. */
  readonly maxChars?: number;
  /** How many characters one call of the tool answers at most. Default 20,000. */
  readonly pageChars?: number;
}

/** Where outputs that were too long to show are kept in memory. Made by {@link createOutputArchive}. */
export interface OutputArchive {
  /** For the registry's `keepOutput`. */
  readonly keep: OutputKeeper;
  /** For the registry: reads an archived text, a page at a time. */
  readonly tool: Tool<"read_output", { readonly call_id: string; readonly offset?: number }>;
}

/** Outputs of one registry are not shown to another: each has its own archive. */
const PARAMETERS = {
  type: "object",
  properties: {
    call_id: { type: "string", description: "Id of the call, as the cut output names it" },
    offset: { type: "integer", minimum: 0, description: "Character to start at; 0, the beginning, by default" },
  },
  required: ["call_id"],
} as const;

/**
 * Archives parts cut from results, with a tool for a model to read them.
 *
 * @example
 * ```ts
 * const archive = createOutputArchive();
 * const registry = createToolRegistry({ maxOutputChars: 20_000, keepOutput: archive.keep }).register(archive.tool);
 * ```
 */
export function createOutputArchive(options: OutputArchiveOptions = {}): OutputArchive {
  checkOptions("create an output archive", options, { maxChars: true, pageChars: true });
  const { maxChars = 16_000_000, pageChars = 20_000 } = options;
  const name = "read_output";
  const kept = new Map<string, string>();
  let size = 0;
  const drop = (callId: string): void => {
    size -= kept.get(callId)?.length ?? 0;
    kept.delete(callId);
  };
  /** Several texts of one id are kept side by side: a result has an output and parts, and some providers repeat ids. */
  const keyFor = (callId: string, text: string): string => {
    let key = callId;
    for (let number = 2; kept.has(key) && kept.get(key) !== text; number += 1) key = `${callId}#${number}`;
    return key;
  };
  const tool = defineTool({
    name,
    description: "Reads on in the output of an earlier call that was too long to be shown whole.",
    parameters: PARAMETERS,
    annotations: { readOnly: true },
    // Room for the line that says where to read on.
    maxOutputChars: pageChars + 200,
    execute(params) {
      const { call_id: callId, offset = 0 } = params as { readonly call_id: string; readonly offset?: number };
      const text = kept.get(callId);
      if (text === undefined) {
        const known =
          [...kept.keys()]
            .slice(-10)
            .map((id) => JSON.stringify(id))
            .join(", ") || "none";
        throw new ToolError(
          `Cannot read the output of ${JSON.stringify(callId)}: it is not kept. Kept are ${known}; make the call again for any other`,
          { code: "output_not_kept" },
        );
      }
      const end = Math.min(text.length, offset + pageChars);
      const next = end < text.length ? `read on with offset ${end}` : "this is the end";
      return success(
        `${text.slice(offset, end).toWellFormed()}\n[characters ${offset} to ${end} of ${text.length}: ${next}]`,
      );
    },
  });
  return {
    keep({ callId, text }) {
      if (text.length > maxChars) return undefined;
      const key = keyFor(callId, text);
      drop(key);
      kept.set(key, text);
      size += text.length;
      for (const oldest of kept.keys()) {
        if (size <= maxChars) break;
        drop(oldest);
      }
      return `Read all of it with ${name} ${JSON.stringify({ call_id: key, offset: 0 })}`;
    },
    tool: tool as unknown as OutputArchive["tool"],
  };
}
