import type { SourcePosition } from "../../run/source-position.ts";

/** Column in the made text, then line and column in the source; all 0-based. */
type Segment = readonly [column: number, line: number, sourceColumn: number];

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * Reads the mappings of a source map with one source (ECMA-426). Returns the function that gives the position in the source
 * for one in the text that was made of it.
 */
export function sourceMap(mappings: string): (position: SourcePosition) => SourcePosition | undefined {
  const lines: Segment[][] = [];
  let line = 0;
  let sourceColumn = 0;
  for (const text of mappings.split(";")) {
    let column = 0;
    const segments: Segment[] = [];
    for (const segment of text === "" ? [] : text.split(",")) {
      const [step = 0, , down = 0, right = 0] = numbersOf(segment);
      column += step;
      line += down;
      sourceColumn += right;
      segments.push([column, line, sourceColumn]);
    }
    lines.push(segments);
  }
  return (position) => {
    const segments = lines[position.line - 1];
    const found = segments?.findLast(([column]) => column < position.column) ?? segments?.[0];
    return found && { line: found[1] + 1, column: found[2] + 1 };
  };
}

/** The numbers of one segment, in base 64 with five bits a digit. */
function numbersOf(segment: string): readonly number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const char of segment) {
    const digit = DIGITS.indexOf(char);
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
