import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { translateAliases } from "../aliases/aliases.ts";
import { printablePath } from "../error/printable-path.ts";
import { sharingSuggestionTime } from "../file-system/suggest-path.ts";
import { worktreeContext } from "../sandbox/worktree-context.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import { createReadFileTool } from "./read-file.ts";
import { MAX_BYTES } from "./read-schema.ts";

const MAX_FILES = 50;

const parameters = z.object({
  paths: z.array(z.string()).min(1).max(MAX_FILES).describe("Files to read, relative to the worktree"),
});

const output = z.object({
  files: z
    .array(
      z.object({
        path: z.string().describe("The file, as it was given"),
        content: z.string().nullable().describe("Its text, as far as it is shown; null when it could not be read"),
        version: z.string().nullable().describe("Its version; null when it has none"),
        error: z.string().optional().describe("Why it could not be read"),
      }),
    )
    .describe("Those that were read, in order"),
  next: z.array(z.string()).describe("Those that did not fit, for the next call"),
});

/** Makes `read_files`: several text files within the limit of one answer. */
export function createReadFilesTool(numbers: LineNumbers) {
  const readFileTool = createReadFileTool(numbers);
  return defineTool({
    name: "read_files",
    description: `Reads several text files, each as read_file does, after a line "=== PATH ===". At most ${MAX_BYTES / 1024} KB a call: files that do not fit are named at the end, to be read by the next call. A file that cannot be read does not keep the others from being read.`,
    parameters,
    translate: translateAliases("read_files", parameters),
    output,
    context: worktreeContext,
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    async execute({ paths }, run) {
      const context = sharingSuggestionTime(run.context);
      const parts: string[] = [];
      const files: z.infer<typeof output>["files"] = [];
      const next: string[] = [];
      let left = MAX_BYTES;
      for (const [index, path] of paths.entries()) {
        const result = await readFileTool.call({ path }, { context, signal: run.signal });
        run.signal.throwIfAborted();
        const text = `=== ${printablePath(path)} ===\n${result.success && result.data?.image ? "[an image, read_file shows it]" : String(result)}`;
        left -= Buffer.byteLength(text);
        if (left < 0 && index > 0) {
          next.push(...paths.slice(index));
          break;
        }
        parts.push(text);
        const { content = null, version = null } = (result.success && result.data) || {};
        files.push({ path, content, version, ...(!result.success && { error: result.error }) });
      }
      const rest =
        next.length === 0 ? [] : [`[not read, because the answer is full: ${JSON.stringify({ paths: next })}]`];
      return success([...parts, ...rest].join("\n"), { data: { files, next } });
    },
  });
}
