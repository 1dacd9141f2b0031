import type { ToolEvent, ToolResult } from "@dispatch/tools-interface";
import { cleanText, describeArguments, describeResult, diffOf, oneLine } from "@dispatch/tools-interface/display";
import { indent, type RunningCall } from "./running-calls.ts";
import type { Screen } from "./screen.ts";
import { showDiff } from "./show-diff.ts";

const NAME_WIDTH = 13;
/** Calls of one program that get a line of their own; the rest is counted. */
const NESTED_SHOWN = 3;
/** Lines of a program's output that are shown. */
const OUTPUT_SHOWN = 12;
/** Lines of a diff that are shown. */
const DIFF_SHOWN = 40;

/** Writes the line of a call that has ended, and below it what it printed or changed. */
export function showCall(
  screen: Screen,
  call: RunningCall | undefined,
  { name, result, durationMs }: ToolEvent & { type: "call-end" },
  diffs: boolean,
): void {
  const { paint, line, width } = screen;
  const { parent, depth = 0, sent, uncounted = new Map<string, number>() } = call ?? {};
  if (parent !== undefined && result.success && (parent.nested += 1) > NESTED_SHOWN) {
    parent.uncounted.set(name, (parent.uncounted.get(name) ?? 0) + 1);
    return;
  }
  for (const [other, count] of uncounted) line(paint("dim", `${indent(depth + 1)}  and ${count} more ${other}`));
  const mark = result.success ? paint("green", "✓") : paint("red", "✗");
  const head = `${indent(depth)}${mark} ${paint("bold", oneLine(name).padEnd(NAME_WIDTH))}`;
  const room = width - NAME_WIDTH - 15 - 4 * depth;
  const asked = describeArguments(sent).slice(0, Math.floor(room * (result.success ? 0.45 : 0.25)));
  const seen = describeResult(result).slice(0, Math.max(room - asked.length, 20));
  const time = paint("dim", duration(durationMs).padStart(7));
  line(`${head} ${time}  ${asked} ${paint("dim", "→")} ${paint(result.success ? "cyan" : "red", seen)}`);
  if (name === "execute_code" && result.success) showOutput(screen, result);
  else if (diffs) showDiff(screen, diffOf(result), DIFF_SHOWN);
}

function showOutput({ paint, line, width }: Screen, result: ToolResult): void {
  const printed = String(result).trimEnd().split("\n");
  for (const row of printed.slice(0, OUTPUT_SHOWN)) line(paint("dim", `    ${cleanText(row).slice(0, width - 5)}`));
  if (printed.length > OUTPUT_SHOWN) line(paint("dim", `    and ${printed.length - OUTPUT_SHOWN} more lines`));
}

/** A time for a person. */
export function duration(milliseconds: number): string {
  return milliseconds < 1_000
    ? `${Math.max(1, Math.round(milliseconds))} ms`
    : `${(milliseconds / 1_000).toFixed(1)} s`;
}
