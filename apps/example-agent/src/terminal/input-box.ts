import { cleanText } from "@dispatch/tools-interface/display";
import { columnsOf, graphemesOf, wrapLine } from "./columns.ts";
import type { Draft } from "./draft.ts";

/** Rows in which a person types, and where the cursor stands in them. */
export interface InputBox {
  readonly rows: readonly string[];
  /** Index of the cursor's row. */
  readonly row: number;
  /** Columns before the cursor. */
  readonly column: number;
}

/** Rows of a draft that are shown at the same time, those around the cursor. */
const MAX_ROWS = 8;
/** Room behind a prompt below which the draft begins on a row of its own. */
const MIN_ROOM = 10;

/** Prefix of each row of a draft but the first. */
const HANG = "  ";

/** Lays a draft out behind a plain prompt. */
export function layOut(prompt: string, draft: Draft, width: number): InputBox {
  const wrapped = wrapLine(prompt, width);
  const fits = columnsOf(wrapped.at(-1) ?? "") + MIN_ROOM <= width;
  const lead = fits ? (wrapped.at(-1) ?? "") : HANG;
  const above = fits ? wrapped.slice(0, -1) : wrapped;
  const { rows, row, column } = rowsAround(draft, lead, width);
  const first = Math.min(Math.max(0, row - MAX_ROWS + 2), Math.max(0, rows.length - MAX_ROWS));
  const shown = rows.slice(first, first + MAX_ROWS);
  return { rows: [...above, ...shown], row: above.length + row - first, column };
}

/** The rows of a draft near its cursor: of a long paste, not all of them. */
function rowsAround(draft: Draft, lead: string, width: number): InputBox {
  const near = width * MAX_ROWS;
  const from = startNear(draft, near);
  const rows: string[] = [];
  let current = from === 0 ? lead : `${HANG}…`;
  let used = columnsOf(current);
  let at = from;
  let cursor: { row: number; column: number } | undefined;
  const newRow = (): void => {
    rows.push(current);
    current = HANG;
    used = HANG.length;
  };
  for (const grapheme of graphemesOf(draft.text.slice(from, draft.at + near))) {
    const isPlain = /^[ -~]$/.test(grapheme);
    const shown = isPlain ? grapheme : grapheme === "\n" ? "" : cleanText(grapheme);
    const columns = isPlain ? 1 : columnsOf(shown);
    if (used + columns > width - 1) newRow();
    if (at >= draft.at) cursor ??= { row: rows.length, column: used };
    if (grapheme === "\n") newRow();
    current += shown;
    used += columns;
    at += grapheme.length;
  }
  cursor ??= { row: rows.length, column: used };
  rows.push(current);
  return { rows, ...cursor };
}

/** Where to begin, so that the cursor is at most `near` characters and `MAX_ROWS` lines further. */
function startNear({ text, at }: Draft, near: number): number {
  const lowest = Math.max(0, at - near);
  let start = at;
  for (let lines = 0; lines < MAX_ROWS && start > lowest; lines += 1) start = text.lastIndexOf("\n", start - 1);
  return at === 0 ? 0 : Math.max(lowest, start + 1);
}
