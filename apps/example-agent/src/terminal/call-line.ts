import type { ToolEvent, ToolResult } from "@dispatch/tools-interface";
import {
  cleanText,
  describeArguments,
  describeResult,
  diffOf,
  namedArguments,
  oneLine,
} from "@dispatch/tools-interface/display";
import { duration } from "../text/duration.ts";
import { columnsOf, cutEnd, cutPath } from "./columns.ts";
import { indent, type RunningCall } from "./running-calls.ts";
import type { Screen } from "./screen.ts";
import { showDiff } from "./show-diff.ts";

const [NAME_WIDTH, TIME_WIDTH] = [13, 7];
/** Columns of a tool's name. */
const MAX_NAME = 30;
/** Columns for arguments and answer, below which they get rows of their own. */
const MIN_ROOM = 36;
/** Rows of a failure's reason then. */
const REASON_ROWS = 4;
/** Calls of one program that get a line of their own; the rest is counted. */
const NESTED_SHOWN = 1;
/** Lines of a program's output that are shown, and rows of one line. */
const [OUTPUT_SHOWN, OUTPUT_ROWS] = [12, 3];
/** Columns of the arguments, at least. */
const MIN_ASKED = 22;
/** Columns of a value below which it is left out. */
const MIN_VALUE = 12;
/** The code of a call that would leave the worktree. Its refusal is no failure: it shows that the wall holds. */
export const OUTSIDE = "outside_worktree";
/** Lines of a diff that are shown. */
const DIFF_SHOWN = 40;

/** Writes the line of a call that has ended, and below it its output or its changes. */
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
  const isEscape = !result.success && result.code === OUTSIDE;
  const mark = result.success ? paint("green", "✓") : isEscape ? paint("yellow", "⊘") : paint("red", "✗");
  const label = cutEnd(oneLine(name), MAX_NAME);
  const padding = " ".repeat(Math.max(0, NAME_WIDTH - columnsOf(label)));
  const head = `${indent(depth)}${mark} ${paint("bold", label)}${padding}`;
  // The time of an answer is the person's.
  const isTimed = name !== "ask_user_question" && !Number.isNaN(durationMs);
  const own = isTimed ? duration(durationMs - (call?.waiting.ms ?? 0)) : "";
  const time = paint("dim", own.padStart(TIME_WIDTH));
  const before = 2 * depth + (depth > 0 ? 2 : 0) + 5 + Math.max(NAME_WIDTH, columnsOf(label)) + TIME_WIDTH;
  const told = describeResult(result);
  const answer = isEscape ? told.replace(/^.*?: (?=it )/, "refused, as it must be: ") : told;
  const arrow = paint("dim", "→");
  const answered = (most: number): string =>
    `${arrow} ${paint(result.success ? "cyan" : isEscape ? "yellow" : "red", cutEnd(answer, most))}`;
  if (width - before < MIN_ROOM) {
    const room = width - 4;
    line(`${head} ${time}`);
    const asked = describeSent(sent, room);
    const isShort = columnsOf(asked) + 3 + columnsOf(answer) <= room;
    if (!isShort && asked !== "") line(`    ${asked}`);
    // A failure's reason often ends in the advice, so it has several rows.
    const most = isShort ? room : (room - 2) * (result.success ? 1 : REASON_ROWS);
    line(`    ${isShort && asked !== "" ? `${asked} ` : ""}${answered(most)}`);
  } else {
    const room = width - before - 4;
    const share = Math.max(MIN_ASKED, Math.floor(room * (result.success ? 0.55 : 0.25)));
    const asked = describeSent(sent, Math.max(share, room - columnsOf(answer)));
    line(`${head} ${time}  ${asked === "" ? "" : `${asked} `}${answered(room - columnsOf(asked))}`);
  }
  if (name === "execute_code" && result.success) showOutput(screen, result);
  else if (diffs) showDiff(screen, diffOf(result), DIFF_SHOWN);
}

/** The arguments in so many columns: of paths the file's name stays. */
function describeSent(sent: unknown, room: number): string {
  const whole = describeArguments(sent);
  if (columnsOf(whole) <= room) return whole;
  let row = "";
  const all = [...namedArguments(sent)];
  for (const [name, value] of all) {
    const head = `${row === "" ? "" : ", "}${name === "" ? "" : `${name}: `}`;
    // Two columns for the mark that there is more.
    const left = room - columnsOf(row + head) - (all.length > 1 ? 2 : 0);
    if (row !== "" && left < MIN_VALUE) return `${row} …`;
    row += head + (/^\S*\/\S*$/.test(value) ? cutPath(value, left) : cutEnd(value, left));
  }
  return cutEnd(row, room);
}

function showOutput({ paint, line, width }: Screen, result: ToolResult): void {
  const printed = String(result).trimEnd().split("\n");
  // One row stands in the line of the call.
  if (printed.length === 1) return;
  for (const row of printed.slice(0, OUTPUT_SHOWN))
    line(`    ${paint("dim", cutEnd(cleanText(row), OUTPUT_ROWS * width))}`);
  if (printed.length > OUTPUT_SHOWN) line(paint("dim", `    and ${printed.length - OUTPUT_SHOWN} more lines`));
}
