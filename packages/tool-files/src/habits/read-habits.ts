import type { Translation } from "@dispatch/tools-interface";
import { ForeignCall, isEmpty, isTrue, wholeNumber } from "./foreign-call.ts";
import { readFilePath } from "./path-habits.ts";

/** Lines in the shapes of other tools, some of which count from 0 and some from 1. */
const RANGES =
  "line_range line_ranges lines range ranges line line_number start end from to from_line to_line line_start line_end first_line last_line".split(
    " ",
  );

/** Reads a call of `read_file` in the shape of another tool. Numbers of lines here begin with `firstLine`. */
export function readHabits(
  sent: Readonly<Record<string, unknown>>,
  own: readonly string[],
  firstLine = 0,
): Translation | undefined {
  const call = new ForeignCall(sent, own);
  const base = `which counts from ${firstLine} here`;
  /** A line number that counts from 1. */
  const fromOne = (value: unknown) => {
    const line = wholeNumber(value);
    return line === undefined || line < 1 ? undefined : line - 1 + firstLine;
  };
  const lastFromOne = (value: unknown) => (wholeNumber(value) === -1 ? -1 : fromOne(value));
  readFilePath(call, "view");
  readOnlyPath(call);

  const range = call.take("view_range");
  if (range !== undefined && !isEmpty(range.value)) {
    const [from, to, ...more] = Array.isArray(range.value) ? (range.value as unknown[]) : [];
    const [start, end] = [fromOne(from), lastFromOne(to)];
    if (start === undefined || end === undefined || more.length > 0)
      call.refuse(range.key, `send start_line and end_line, ${base}`);
    call.set("start_line", start);
    call.set("end_line", end);
    call.note(`"view_range" was taken for start_line ${start} and end_line ${end}, ${base}`);
  }
  call.drop(["should_read_entire_file"], (value) => isTrue(value) || value === false, "leave it out");
  call.rename(["start_line_one_indexed"], "start_line", fromOne, `"start_line", ${base}`);
  call.rename(
    ["end_line_one_indexed", "end_line_one_indexed_inclusive"],
    "end_line",
    lastFromOne,
    `"end_line", ${base}`,
  );

  const offset = call.take("offset");
  if (offset !== undefined && !isEmpty(offset.value)) {
    const first = wholeNumber(offset.value) ?? 1;
    if (first > 0) call.refuse(offset.key, `some tools count it from 0 and some from 1, send start_line, ${base}`);
    call.set("start_line", first === 0 ? firstLine : first);
    call.note(`"offset" was taken for start_line ${first === 0 ? firstLine : first}`);
  }
  call.rename(
    ["tail"],
    "start_line",
    (value) => {
      const count = wholeNumber(value);
      return count === undefined || count < 1 ? undefined : -count;
    },
    '"start_line", a negative number counts from the end',
  );
  readLimit(call, firstLine);
  call.forbid(RANGES, `send start_line and end_line, ${base}`);
  call.drop(["show_line_numbers", "line_numbers", "number_lines"], isTrue, "lines are always numbered");
  call.drop(["mode"], (value) => value === "slice" || isEmpty(value), "send start_line and end_line instead");
  if (isEmpty(call.get("pages"))) call.unset("pages");
  call.drop(["indentation"], isEmpty, "it is not supported, send start_line and end_line");
  return call.translation();
}

/** A list of files with a single one. */
function readOnlyPath(call: ForeignCall): void {
  const paths = call.take("paths", "file_paths", "files");
  if (paths === undefined) return;
  const [only, ...others] = Array.isArray(paths.value) ? (paths.value as unknown[]) : [paths.value];
  if (others.length > 0 || typeof only !== "string")
    call.refuse(paths.key, 'send "path", one file a call (read_files reads several, where it is there)');
  call.set("path", only);
  call.note(`${JSON.stringify(paths.key)} was taken for "path"`);
}

function readLimit(call: ForeignCall, firstLine: number): void {
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

/** Reads a call of `read_notebook` in the shape of another tool. */
export function notebookHabits(sent: Readonly<Record<string, unknown>>, own: readonly string[]) {
  const call = new ForeignCall(sent, own);
  call.rename(["notebook_path", "notebook"], "path");
  readFilePath(call, "view");
  call.drop(["cell_id"], isEmpty, "send start_cell and end_cell, which count from 0");
  return call.translation();
}
