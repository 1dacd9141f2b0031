import { isAscii } from "node:buffer";
import type { TextEncoding } from "../text/text-encoding.ts";
import { LINE_COST, type LinesRead, type ReadLine, type WantedLines } from "./read-lines.ts";

/** Longest file read so, in bytes. */
const MAX_BYTES = 256 * 1024;

/** A fast path of `readLines` for the usual file: short, valid UTF-8 and no line to cut. `undefined` for any other. */
export function shortLines(bytes: Buffer, encoding: TextEncoding, request: WantedLines): LinesRead | undefined {
  const { startLine, endLine, startByte, maxLines, maxLineBytes, maxBytes } = request;
  if (bytes.length > MAX_BYTES || encoding.name !== "UTF-8" || encoding.mark.length > 0 || startByte > 0)
    return undefined;
  const ascii = isAscii(bytes);
  const whole = bytes.toString("utf8");
  const all = whole.split("\n");
  // Behind the last line feed there is no line.
  const closed = all.at(-1) === "";
  const total = all.length - (closed ? 1 : 0);
  const last = Math.min(endLine, total - 1);
  const lines: ReadLine[] = [];
  let limited: LinesRead["limited"];
  let cost = 0;
  let begin = 0;
  for (let number = 0; number < Math.min(startLine, all.length); number += 1) begin += (all[number]?.length ?? 0) + 1;
  let end = begin;
  for (let number = startLine; number <= last; number += 1) {
    const line = all[number] ?? "";
    const ended = closed || number < total - 1;
    const returned = ended && line.endsWith("\r");
    const text = returned ? line.slice(0, -1) : line;
    const length = ascii ? text.length : Buffer.byteLength(text);
    if (length > maxLineBytes) return undefined;
    cost += length + LINE_COST;
    if (lines.length === maxLines) limited = "lines";
    else if (cost > maxBytes && lines.length > 0) limited = "bytes";
    if (limited !== undefined) break;
    end += line.length + 1;
    lines.push({
      number,
      text,
      from: 0,
      kept: length,
      length,
      end: ended ? (returned ? "\r\n" : "\n") : "",
      invalid: undefined,
    });
  }
  return { lines, content: whole.slice(begin, end), limited, total, exact: true };
}
