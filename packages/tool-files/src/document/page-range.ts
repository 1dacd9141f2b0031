import { FilesError } from "../error/files-error.ts";

/** Pages of one call. */
export const MAX_PAGES = 20;

/**
 * The first and the last page of `"3"`, `"3-5"` or `"3-"`, from 1; without any the first {@link MAX_PAGES}.
 *
 * @throws {FilesError} Code `invalid_range`.
 */
export function pageRange(pages: string | undefined, attempt: string): { readonly from: number; readonly to: number } {
  if (pages === undefined) return { from: 1, to: MAX_PAGES };
  const [, first, dash, last = ""] = /^\s*(\d{1,7})\s*(-\s*(\d{1,7})?)?\s*$/.exec(pages) ?? [];
  const from = Number(first);
  const to = dash === undefined ? from : last === "" ? from + MAX_PAGES - 1 : Number(last);
  if (from >= 1 && to >= from && to - from < MAX_PAGES) return { from, to };
  throw new FilesError(
    `${attempt}: found pages ${JSON.stringify(pages)}, allowed is one such as "3" or a range such as "3-5", up to ${MAX_PAGES} pages`,
    { code: "invalid_range" },
  );
}
