import { graphemesOf } from "./columns.ts";

/** A text that is being typed, and where the cursor stands in it. */
export interface Draft {
  readonly text: string;
  /** Index in `text`, between two graphemes. */
  readonly at: number;
}

export const EMPTY_DRAFT: Draft = { text: "", at: 0 };

/** Changes or moves in a draft. */
export type Edit = (draft: Draft) => Draft;

/** A draft with the cursor at its end. */
export function draftOf(text: string): Draft {
  return { text, at: text.length };
}

export function insert(added: string): Edit {
  return ({ text, at }) => ({ text: text.slice(0, at) + added + text.slice(at), at: at + added.length });
}

/** Moves the cursor to where `find` says. */
function move(find: (draft: Draft) => number): Edit {
  return (draft) => ({ text: draft.text, at: find(draft) });
}

/** Deletes between the cursor and where `find` says. */
function deleteTo(find: (draft: Draft) => number): Edit {
  return (draft) => {
    const [from, to] = [draft.at, find(draft)].toSorted((one, other) => one - other) as [number, number];
    return { text: draft.text.slice(0, from) + draft.text.slice(to), at: from };
  };
}

const lineStart = ({ text, at }: Draft): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1);
const lineEnd = ({ text, at }: Draft): number => {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
};
/** A grapheme or a word is looked for in so many characters around the cursor. */
const NEAR = 256;
const before = ({ text, at }: Draft): number =>
  at - (graphemesOf(text.slice(Math.max(0, at - NEAR), at)).at(-1)?.length ?? 0);
const after = ({ text, at }: Draft): number => at + (graphemesOf(text.slice(at, at + NEAR))[0]?.length ?? 0);
const wordBefore = ({ text, at }: Draft): number => {
  const near = text.slice(Math.max(0, at - NEAR), at);
  return at - near.length + near.search(/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u);
};
const wordAfter = ({ text, at }: Draft): number =>
  at + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(at, at + NEAR))?.[0].length ?? 0);

/** Moves to the line above or below; `undefined` when there is none. */
function vertically(draft: Draft, down: boolean): Draft | undefined {
  const start = lineStart(draft);
  const column = graphemesOf(draft.text.slice(start, draft.at)).length;
  const edge = down ? lineEnd(draft) + 1 : start - 1;
  if (edge < 0 || edge > draft.text.length) return undefined;
  const target = lineStart({ text: draft.text, at: edge });
  const line = draft.text.slice(target, lineEnd({ text: draft.text, at: target }));
  return { text: draft.text, at: target + graphemesOf(line).slice(0, column).join("").length };
}

export const lineAbove = (draft: Draft): Draft | undefined => vertically(draft, false);
export const lineBelow = (draft: Draft): Draft | undefined => vertically(draft, true);

/** The edits that keys make, by the key's name as Node gives it; `^` is Ctrl, `M-` is Alt. As in Emacs and readline. */
export const EDITS: ReadonlyMap<string, Edit> = new Map([
  ["left", move(before)],
  ["^b", move(before)],
  ["right", move(after)],
  ["^f", move(after)],
  ["home", move(lineStart)],
  ["^a", move(lineStart)],
  ["end", move(lineEnd)],
  ["^e", move(lineEnd)],
  ["^left", move(wordBefore)],
  ["M-left", move(wordBefore)],
  ["M-b", move(wordBefore)],
  ["^right", move(wordAfter)],
  ["M-right", move(wordAfter)],
  ["M-f", move(wordAfter)],
  ["backspace", deleteTo(before)],
  ["^h", deleteTo(before)],
  ["delete", deleteTo(after)],
  ["^d", deleteTo(after)],
  ["^w", deleteTo(wordBefore)],
  ["M-backspace", deleteTo(wordBefore)],
  ["M-d", deleteTo(wordAfter)],
  ["^u", deleteTo(lineStart)],
  ["^k", deleteTo(lineEnd)],
  ["M-return", insert("\n")],
  ["M-enter", insert("\n")],
  ["enter", insert("\n")],
  ["^j", insert("\n")],
  ["tab", insert("\t")],
]);
