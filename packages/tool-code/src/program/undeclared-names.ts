import type { CodeToken } from "./statements.ts";

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
/** Text that a statement can follow, and one assignment another. */
const BEFORE = /^(?:[;{})=]|else|do)$/;
const DECLARES = /^(?:const|let|var|function|class|import|type|using)$/;

/**
 * The names that a program assigns and never declares with a keyword. Modules forbid that; scripts, which models write
 * as well, do not. A superfluous name does no harm: its declaration hides it.
 */
export function undeclaredNames(tokens: readonly CodeToken[]): readonly string[] {
  const names = new Set<string>();
  const declared = new Set<string>();
  for (const [at, { type, value, startsLine }] of tokens.entries()) {
    if (type !== "IdentifierName" || !NAME.test(value)) continue;
    const before = tokens[at - 1]?.value ?? ";";
    const after = tokens[at + 1]?.value;
    if (DECLARES.test(before)) declared.add(value);
    else if (after === "=" && before !== "." && before !== "?." && (startsLine || BEFORE.test(before)))
      names.add(value);
    else if (before === "(" && /^(?:for|await)$/.test(tokens[at - 2]?.value ?? "") && /^(?:=|of|in)$/.test(after ?? ""))
      names.add(value);
  }
  return [...names].filter((name) => !declared.has(name));
}
