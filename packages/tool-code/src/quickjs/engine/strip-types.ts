import type { SourcePosition } from "../../run/source-position.ts";
import { sourceMap } from "./source-map.ts";

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
