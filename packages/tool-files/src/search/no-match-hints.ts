import { patternHints } from "../list/pattern-hints.ts";
import type { SearchRequest } from "./search-request.ts";

/** Signs of a regular expression that seldom stand in a text. */
const LOOKS_LIKE_REGEX = /\.[*+]|\\[bBdDsSwW.()[\]{}|]|\[[^\]]+\][*+?]?|\|\S|^\^|[^\\\s]\$$|\(\?/;

/** Hints on the intended meaning of a search without matches. `pattern` is the glob as it was given. */
export function noMatchHints({ query }: SearchRequest, pattern: string | undefined): string[] {
  const regex = !query.isRegex && LOOKS_LIKE_REGEX.test(query.text);
  return [
    ...(regex ? ["the query was taken as a text and looks like a regular expression: set is_regex if it is one"] : []),
    ...patternHints(pattern),
  ];
}
