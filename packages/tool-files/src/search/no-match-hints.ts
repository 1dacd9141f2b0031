import { patternHints } from "../list/pattern-hints.ts";
import type { SearchRequest } from "./search-request.ts";

/** Signs of a regular expression that seldom stand in a text. */
const LOOKS_LIKE_REGEX = /\.[*+]|\\[bBdDsSwW.()[\]{}|*+?^$]|\[[^\]]+\][*+?]?|\|\S|^\^|[^\\\s]\$$|\(\?/;
/** A character without a meaning of its own in a regular expression, or one whose meaning is taken away. */
const IS_PLAIN = /^(?:[^\\^$.|?*+()[\]{}]|\\[^\w\s])*$/;

/** Hints on the intended meaning of a search without matches. `pattern` is the glob as it was given. */
export function noMatchHints({ query }: SearchRequest, pattern: string | undefined): string[] {
  return [...queryHints(query), ...patternHints(pattern)];
}

function queryHints({ text, isRegex, multiline }: SearchRequest["query"]): string[] {
  if (!isRegex && LOOKS_LIKE_REGEX.test(text))
    return ["the query was taken as a text and looks like a regular expression: set is_regex if it is one"];
  if (isRegex && text.includes("\\") && IS_PLAIN.test(text))
    return [
      "the query was taken as a regular expression, in which a backslash only takes away the meaning of the next character: for a text as it stands leave out is_regex",
    ];
  if (isRegex && !multiline && text.includes("\\n"))
    return ["the query was searched for in one line at a time: set multiline to search over several"];
  return [];
}

/** Follows the error about a query that is no regular expression. */
export const NO_REGEX_HINT = "if it is meant as a text as it stands, leave out is_regex";
