import { truncateText } from "./truncate-text.ts";

/** A query as it is searched for. */
export interface CheckedQuery {
  /** Well-formed and trimmed. */
  readonly text: string;
  /** The same, when the query was longer. */
  readonly searched: string | undefined;
}

/** Cuts a query to its first characters, after a word where there is one. */
export function toQuery(query: string, maxChars: number): CheckedQuery {
  const text = (some: string): string => some.toWellFormed().replaceAll("\0", " ").trim();
  if (query.length <= maxChars) return { text: text(query), searched: undefined };
  const cut = truncateText(query, maxChars);
  const words = /\s/u.test(query.charAt(cut.length)) ? cut : cut.replace(/\s+\S*$/u, "");
  const searched = text(words);
  return { text: searched, searched };
}
