import { diffLines } from "diff";
import { oneLine } from "../display/clean-text.ts";
import type { ListedTool } from "./listed-tool.ts";
import type { McpPin } from "./pins.ts";

/** How a tool stands to what a person agreed to. */
export type ToolChange =
  | { readonly kind: "same" }
  | { readonly kind: "new" }
  | {
      readonly kind: "changed";
      /** Lines with `-` and `+`; long ones are cut. */
      readonly diff: readonly string[];
      /** What was agreed to. */
      readonly before: ListedTool;
    };

/** Lines of a diff that a person is shown. */
const MAX_DIFF_LINES = 200;
const MAX_LINE_CHARS = 500;
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
    return rows.map((row) => `${added ? "+" : "-"}${oneLine(row).slice(0, MAX_LINE_CHARS)}`);
  });
  const left = changed.length - MAX_DIFF_LINES;
  return left > 0 ? [...changed.slice(0, MAX_DIFF_LINES), `(and ${left} more lines)`] : changed;
}

/** One thing a line, whatever the order of a schema's keys. */
function linesOf({ title, description, inputSchema, outputSchema, hints }: ListedTool): string {
  const parts = [
    ...(title === undefined ? [] : [`title: ${title}`]),
    ...description.split("\n").map((line) => `description: ${line}`),
    ...Object.entries(hints).map(([hint, value]) => `${hint}: ${value}`),
    `input: ${JSON.stringify(inputSchema, undefined, 1)}`,
    ...(outputSchema === undefined ? [] : [`output: ${JSON.stringify(outputSchema, undefined, 1)}`]),
  ];
  return `${parts.join("\n")}\n`;
}
