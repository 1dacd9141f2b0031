import type { JsonSchema } from "@dispatch/tools-interface";
import { oneLine } from "@dispatch/tools-interface/display";
import { canonicalText } from "@dispatch/tools-interface/internal";
import { diffLines } from "diff";
import type { ListedTool } from "./listed-tool.ts";
import type { McpPin } from "./pins.ts";

/** The difference between a tool and its approved version. */
export type ToolChange =
  | { readonly kind: "same" }
  | { readonly kind: "new" }
  | {
      readonly kind: "changed";
      /** Lines with `-` and `+`, a sentence each. Behind 200 of them stands how many there are more. */
      readonly diff: readonly string[];
      /** The approved version. */
      readonly before: ListedTool;
    };

/** Lines of a diff that a person is shown. */
const MAX_DIFF_LINES = 200;
/** A line goes on in the next one after so many characters, or after a sentence. */
const LINE_CHARS = 200;
/** How long a diff may be looked for, in milliseconds. */
const DIFF_TIMEOUT_MS = 200;

/** Compares a tool with its pin. */
export function toolChange(now: McpPin, before: McpPin | undefined): ToolChange {
  if (before === undefined) return { kind: "new" };
  if (before.fingerprint === now.fingerprint) return { kind: "same" };
  return { kind: "changed", diff: diffOf(linesOf(before.tool), linesOf(now.tool)), before: before.tool };
}

function diffOf(before: string, now: string): readonly string[] {
  const parts = diffLines(before, now, { timeout: DIFF_TIMEOUT_MS });
  if (parts === undefined) return ["(too much has changed to show it)"];
  const changed = parts.flatMap(({ added, removed, value }) => {
    if (!added && !removed) return [];
    const rows = value.replace(/\n$/, "").split("\n");
    return rows.map((row) => `${added ? "+" : "-"}${oneLine(row)}`);
  });
  if (changed.length === 0) return ["(only white space has changed)"];
  const left = changed.length - MAX_DIFF_LINES;
  return left > 0 ? [...changed.slice(0, MAX_DIFF_LINES), `(and ${left} more lines)`] : changed;
}

/**
 * One property a line, independent of the order of a schema's keys. A long one takes several lines, so that a change in
 * it stands alone.
 */
function linesOf({ title, description, inputSchema, outputSchema, hints, taskSupport }: ListedTool): string {
  const rows = [
    ...(title === undefined ? [] : [`title: ${title}`]),
    ...description.split("\n").flatMap((line) => wrapped(line).map((part) => `description: ${part}`)),
    ...Object.entries(hints).map(([hint, value]) => `${hint}: ${value}`),
    ...(taskSupport === undefined ? [] : [`as a task: ${taskSupport}`]),
    ...schemaLines("input", inputSchema),
    ...(outputSchema === undefined ? [] : schemaLines("output", outputSchema)),
  ];
  return `${rows.join("\n")}\n`;
}

function schemaLines(name: string, schema: JsonSchema): readonly string[] {
  const sorted: unknown = JSON.parse(canonicalText(schema));
  return `${name}: ${JSON.stringify(sorted, undefined, 1)}`.split("\n").flatMap(wrapped);
}

/** Sentences, and of longer ones parts. */
function wrapped(line: string): readonly string[] {
  const sentences = line.split(/(?<=[.!?;]) /);
  const parts = sentences.flatMap((sentence) => sentence.match(new RegExp(`.{1,${LINE_CHARS}}`, "gsu")) ?? []);
  return parts.length === 0 ? [""] : parts;
}
