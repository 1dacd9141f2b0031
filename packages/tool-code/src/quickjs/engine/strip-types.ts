import type { SourcePosition } from "../../run/source-position.ts";

/**
 * Turns TypeScript into JavaScript, as `transformSync` of `amaro` does. Throws an object with a `message` and a
 * `startLine`.
 */
export type StripTypes = (
  source: string,
  options: { readonly mode: "strip-only" | "transform"; readonly sourceMap?: boolean },
) => { readonly code: string; readonly map?: string | undefined };

/** JavaScript, and where it comes from. */
export interface StrippedModule {
  readonly code: string;
  /** The position in the TypeScript for one in the JavaScript. */
  readonly place: (position: SourcePosition) => SourcePosition | undefined;
}

/** The source is not TypeScript. */
export class SyntaxFaultError extends Error {
  override readonly name = "SyntaxFaultError";
  readonly position: SourcePosition;

  constructor(message: string, position: SourcePosition) {
    super(message);
    this.position = position;
  }
}

/**
 * Removes the types of a module. Types become spaces, so that every position stays; where that is not enough (`enum`,
 * `namespace`, parameter properties) the module is rewritten, and positions follow its source map.
 *
 * @throws {SyntaxFaultError} When it cannot be parsed.
 */
export function strippedModule(source: string, strip: StripTypes): StrippedModule {
  try {
    return { code: strip(source, { mode: "strip-only" }).code, place: (position) => position };
  } catch (error) {
    if (!isUnsupported(error)) throw toFault(error);
  }
  try {
    const { code, map } = strip(source, { mode: "transform", sourceMap: true });
    const { mappings } = JSON.parse(map ?? '{"mappings":""}') as { readonly mappings: string };
    return { code, place: sourceMap(mappings) };
  } catch (error) {
    throw toFault(error);
  }
}

function isUnsupported(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === "UnsupportedSyntax";
}

function toFault(error: unknown): unknown {
  const { message, startLine, startColumn } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof message !== "string" || typeof startLine !== "number" || typeof startColumn !== "number") return error;
  return new SyntaxFaultError(message, { line: startLine, column: startColumn + 1 });
}

/** Column in the made text, then line and column in the source; all 0-based. */
type Segment = readonly [column: number, line: number, sourceColumn: number];

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * Reads the mappings of a source map with one source (ECMA-426). Returns the function that gives the position in the source
 * for one in the text that was made of it.
 */
function sourceMap(mappings: string): (position: SourcePosition) => SourcePosition | undefined {
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
