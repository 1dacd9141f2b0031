import { styleText } from "node:util";
import type { ToolEvent, ToolObserver, ToolResult } from "@dispatch/tools-interface";
import type { Review } from "./person.ts";

type Style = Parameters<typeof styleText>[0];

/** Shows a run to a person, a line for each call. */
export interface View {
  title(text: string, ...notes: readonly string[]): void;
  readonly say: (text: string) => void;
  readonly event: ToolObserver;
  review(by: string, review: Review): void;
  summary(text: string): void;
  /** A wait that is not a call. */
  wait<T>(text: string, work: Promise<T>): Promise<T>;
}

const NAME_WIDTH = 13;
const NARROW = 60;
/** Calls of one program that get a line of their own; the rest is counted. */
const NESTED_SHOWN = 3;
/** Lines of a program's output that are shown. */
const OUTPUT_SHOWN = 12;

/** A call that has not ended. */
interface Running {
  readonly depth: number;
  readonly sent: unknown;
  /** Calls made by this one that got no line of their own, by name. */
  readonly uncounted: Map<string, number>;
  nested: number;
}

/** A view on a stream; colour and the line of the running call only where the stream is a terminal that can. */
export function createView(stream: NodeJS.WriteStream): View {
  const live = stream.isTTY;
  const width = Math.max(stream.columns ?? 100, NARROW);
  const calls = new Map<string, Running>();
  const paint = (style: Style, text: string): string => styleText(style, text, { stream });
  const line = (text = ""): void => void stream.write(`${live ? "\r\u001B[2K" : ""}${text}\n`);
  const running = (text: string): void =>
    void (live && stream.write(`\r\u001B[2K${paint("dim", clean(text.replaceAll("\n", " ")).slice(0, width - 1))}`));

  const startCall = ({
    callId,
    parentCallId = "",
    name,
    arguments: sent,
  }: ToolEvent & { type: "call-start" }): void => {
    const depth = (calls.get(parentCallId)?.depth ?? -1) + 1;
    calls.set(callId, { depth, sent, uncounted: new Map(), nested: 0 });
    running(`${indent(depth)}… ${name} ${brief(sent)}`);
  };

  const endCall = ({ callId, parentCallId = "", name, result, durationMs }: ToolEvent & { type: "call-end" }): void => {
    const { depth = 0, sent, uncounted = new Map<string, number>() } = calls.get(callId) ?? {};
    calls.delete(callId);
    const parent = calls.get(parentCallId);
    if (parent !== undefined && result.success && (parent.nested += 1) > NESTED_SHOWN) {
      parent.uncounted.set(name, (parent.uncounted.get(name) ?? 0) + 1);
      return;
    }
    for (const [other, count] of uncounted) line(paint("dim", `${indent(depth + 1)}  and ${count} more ${other}`));
    const mark = result.success ? paint("green", "✓") : paint("red", "✗");
    const head = `${indent(depth)}${mark} ${paint("bold", name.padEnd(NAME_WIDTH))}`;
    const room = width - NAME_WIDTH - 15 - 4 * depth;
    const asked = brief(sent).slice(0, Math.floor(room * (result.success ? 0.45 : 0.25)));
    const seen = outcome(result).slice(0, Math.max(room - asked.length, 20));
    const time = paint("dim", duration(durationMs).padStart(7));
    line(`${head} ${time}  ${asked} ${paint("dim", "→")} ${paint(result.success ? "cyan" : "red", seen)}`);
    if (name === "execute_code" && result.success) {
      const printed = result.output.trimEnd().split("\n");
      for (const row of printed.slice(0, OUTPUT_SHOWN)) line(paint("dim", `    ${clean(row).slice(0, width - 5)}`));
      if (printed.length > OUTPUT_SHOWN) line(paint("dim", `    and ${printed.length - OUTPUT_SHOWN} more lines`));
    }
  };

  return {
    title(text, ...notes) {
      line(paint("bold", text));
      for (const note of notes) line(paint("dim", note));
    },
    say(text) {
      line();
      line(text);
    },
    event(event) {
      if (event.type === "call-start") startCall(event);
      else if (event.type === "call-end") endCall(event);
      else if (event.type === "call-progress") running(`… ${event.name} ${event.update.message}`);
      else if (event.type === "transcript-error") line(paint("red", `! ${event.name} could not be recorded`));
    },
    review(by, { label, diff, approved }) {
      const verdict = approved ? paint("green", "approved") : paint("red", "rejected");
      line(`${paint("yellow", "?")} ${paint("bold", `core memory ${label}`)} ${verdict} ${paint("dim", `by ${by}`)}`);
      for (const row of diff.split("\n").filter((text) => /^[+-](?![+-]{2})/.test(text))) {
        line(`    ${paint(row.startsWith("+") ? "green" : "red", row)}`);
      }
    },
    summary(text) {
      line();
      for (const [index, row] of text.split("\n").entries()) line(index === 0 ? paint("bold", row) : row);
    },
    async wait(text, work) {
      running(`… ${text}`);
      const started = performance.now();
      const done = await work;
      line(`${paint("green", "✓")} ${text} ${paint("dim", duration(performance.now() - started))}`);
      return done;
    },
  };
}

function indent(depth = 0): string {
  return "  ".repeat(depth) + (depth > 0 ? "↳ " : "");
}

function duration(milliseconds: number): string {
  return milliseconds < 1_000
    ? `${Math.max(1, Math.round(milliseconds))} ms`
    : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** What was sent, on one line: the values, without their names. */
function brief(sent: unknown): string {
  let params = sent;
  try {
    params = typeof sent === "string" ? JSON.parse(sent) : sent;
  } catch {
    return oneLine(String(sent));
  }
  const values = typeof params === "object" && params !== null ? Object.values(params) : [params];
  return values.map(briefValue).join(" ");
}

function briefValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
  const text = String(value);
  const lines = text.trimEnd().split("\n").length;
  return lines > 1 ? `(${lines} lines)` : oneLine(text);
}

function outcome(result: ToolResult): string {
  const lines = String(result).trimEnd().split("\n");
  const [first = ""] = lines;
  if (!result.success) return oneLine(first);
  const changed = (sign: string): number =>
    lines.filter((row) => row.startsWith(sign) && !row.startsWith(sign.repeat(3))).length;
  if (lines.some((row) => row.startsWith("@@ "))) return `+${changed("+")} -${changed("-")} lines`;
  return lines.length > 2 ? `${lines.length} lines` : oneLine(lines.join(" "));
}

/** Text from tools is data: control and format characters must not reach the terminal. */
function clean(text: string): string {
  return text.replaceAll("\t", "  ").replaceAll(/\p{Cc}|\p{Cf}/gu, "\u{FFFD}");
}

function oneLine(text: string): string {
  return clean(text.replaceAll(/\s+/g, " ").trim());
}
