import { isEmpty, wholeNumber, type ForeignCall } from "./foreign-call.ts";

/** A line number that counts from 1, as one that counts from `firstLine`. */
export function fromOne(value: unknown, firstLine: number): number | undefined {
  const line = wholeNumber(value);
  return line === undefined || line < 1 ? undefined : line - 1 + firstLine;
}

/** {@link fromOne}, in which -1 is the last line. */
export function lastFromOne(value: unknown, firstLine: number): number | undefined {
  return wholeNumber(value) === -1 ? -1 : fromOne(value, firstLine);
}

/** Reads a pair of lines that count from 1. */
export function readViewRange(call: ForeignCall, firstLine: number): void {
  const base = `which counts from ${firstLine} here`;
  const range = call.take("view_range");
  if (range === undefined || isEmpty(range.value)) return;
  const [from, to, ...more] = Array.isArray(range.value) ? (range.value as unknown[]) : [];
  const [start, end] = [fromOne(from, firstLine), lastFromOne(to, firstLine)];
  if (start === undefined || end === undefined || more.length > 0)
    call.refuse(range.key, `send start_line and end_line, ${base}`);
  call.set("start_line", start);
  call.set("end_line", end);
  call.note(`"view_range" was taken for start_line ${start} and end_line ${end}, ${base}`);
}

/** Reads the number of lines to leave out, which is clear only where it is 0. */
export function readOffset(call: ForeignCall, firstLine: number): void {
  const offset = call.take("offset");
  if (offset === undefined || isEmpty(offset.value)) return;
  const first = wholeNumber(offset.value) ?? 1;
  if (first > 0)
    call.refuse(
      offset.key,
      `some tools count it from 0 and some from 1, send start_line, which counts from ${firstLine} here`,
    );
  call.set("start_line", first === 0 ? firstLine : first);
  call.note(`"offset" was taken for start_line ${first === 0 ? firstLine : first}`);
}

/** Reads a list of files with a single one. */
export function readOnlyPath(call: ForeignCall): void {
  const paths = call.take("paths", "file_paths", "files");
  if (paths === undefined) return;
  const [only, ...others] = Array.isArray(paths.value) ? (paths.value as unknown[]) : [paths.value];
  if (others.length > 0 || typeof only !== "string")
    call.refuse(paths.key, 'send "path", one file a call (read_files reads several, where it is there)');
  call.set("path", only);
  call.note(`${JSON.stringify(paths.key)} was taken for "path"`);
}

/** Reads a number of lines as the last one. */
export function readLimit(call: ForeignCall, firstLine: number): void {
  const limit = call.take("limit", "head", "max_lines", "num_lines", "line_count", "count");
  if (limit === undefined || isEmpty(limit.value)) return;
  const count = wholeNumber(limit.value);
  const start = wholeNumber(call.get("start_line") ?? firstLine);
  if (count === undefined || count < 1 || start === undefined || call.has("end_line"))
    call.refuse(limit.key, "send start_line and end_line, the numbers of the first and the last line");
  const last = start + count - 1;
  // Counted from the end, the last line is the end of the file.
  const end = start < 0 && last >= -1 ? -1 : last;
  if (start < 0 && end < -1) call.refuse(limit.key, "with lines counted from the end send start_line alone");
  call.set("end_line", end);
  call.note(`${JSON.stringify(limit.key)} was taken for end_line ${end}`);
}
