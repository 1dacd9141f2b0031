/** A part of a program and the text that takes its place. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  /** Has no line break. */
  readonly text: string;
}

/** A place in an edited text from which on columns are greater than in the original, or less. */
export interface ColumnShift {
  /** 1-based, the same in both texts. */
  readonly line: number;
  /** 1-based, in the edited text; columns beyond it are shifted. */
  readonly column: number;
  readonly by: number;
}

/** Applies edits that do not overlap. Replaced text keeps its line breaks. */
export function applyEdits(
  code: string,
  edits: readonly TextEdit[],
): { readonly text: string; readonly shifts: readonly ColumnShift[] } {
  const shifts: ColumnShift[] = [];
  let text = "";
  let from = 0;
  let line = 1;
  let lineStart = 0;
  const add = (piece: string): void => {
    for (const { index, 0: found } of piece.matchAll(/\r\n?|\n/g)) {
      line += 1;
      lineStart = text.length + index + found.length;
    }
    text += piece;
  };
  for (const { start, end, text: put } of edits.toSorted((a, b) => a.start - b.start)) {
    add(code.slice(from, start) + put);
    const replaced = code.slice(start, end);
    const breaks = replaced.replaceAll(/[^\r\n]+/g, "");
    if (breaks === "" && put.length !== replaced.length)
      shifts.push({ line, column: text.length - lineStart, by: put.length - replaced.length });
    add(breaks);
    from = end;
  }
  add(code.slice(from));
  return { text, shifts };
}
