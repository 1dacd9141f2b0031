import { FilesError } from "../error/files-error.ts";

/** The place after which a next call continues: a path, and its sort key. It needs no state. */
export interface PageCursor {
  /** The sort key before the path, such as a number of a line, a time or a size. */
  readonly key: number;
  readonly path: string;
}

const FORM = /^(-?\d+(?:\.\d+)?):(.+)$/s;

/** A cursor as one word without blanks, quotes or control characters. */
export function toCursor({ key, path }: PageCursor): string {
  return `${key}:${encodeURIComponent(path.toWellFormed()).replaceAll("%2F", "/")}`;
}

/**
 * The cursor that {@link toCursor} made.
 *
 * @throws {FilesError} Code `invalid_cursor`.
 */
export function fromCursor(text: string, attempt: string): PageCursor {
  const [, key, path] = FORM.exec(text) ?? [];
  try {
    if (key !== undefined && path !== undefined) return { key: Number(key), path: decodeURIComponent(path) };
  } catch {
    // No cursor of ours.
  }
  throw new FilesError(`${attempt}: the cursor is invalid, allowed is one that an answer ended with`, {
    code: "invalid_cursor",
  });
}
