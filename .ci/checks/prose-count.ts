import { FENCE } from "./code-fence.ts";

/** A place where a sentence names no subject. */
interface ProsePlace {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** Counts of one text. */
export interface ProseCount {
  readonly words: number;
  readonly places: readonly ProsePlace[];
}

const BLOCK = /^[^\S\n]*\/\*[^]*?\*\//gm;
const LINE = /(?:^[^\S\n]*|[^\S\n])\/\/ .*$/gm;
const CODE = /`[^`\n]*`|\]\([^)]*\)|<!--[^]*?-->|\{@link [^}]*\}/g;
/** A question may ask "what"; "what to do" is a noun of its own. */
const HEADLESS = /\b(?:what(?! to\b)(?:ever)?|who(?:m)?ever|tells|told|hears)\b(?![^.:;\n]*\?)/gi;

/**
 * The prose of a file: the comments of TypeScript, the text of Markdown without its code. Other places are blanks, so that lines
 * keep their numbers. `undefined`: a file without prose.
 */
export function proseOf(file: string, text: string): string | undefined {
  if (file.endsWith(".md")) return blank(blank(text, FENCE), CODE);
  if (!file.endsWith(".ts")) return undefined;
  const comments = [...text.matchAll(BLOCK), ...text.matchAll(LINE)];
  const kept = text.replaceAll(/[^\n]/g, " ").split("");
  for (const { index, 0: comment } of comments) {
    for (const [offset, character] of comment.split("").entries()) kept[index + offset] = character;
  }
  return blank(blank(kept.join(""), /^[^\S\n]*\* ( *)(`{3,})[^]*?^[^\S\n]*\* *\2/gm), CODE);
}

/** Counts the words of a prose text, and the places that say "what", "whoever", "tells" and their like instead of a subject. */
export function countProse(prose: string): ProseCount {
  const words = prose.match(/\p{L}[\p{L}'’-]*/gu)?.length ?? 0;
  const lines = prose.split("\n");
  const places = lines.flatMap((text, index) =>
    [...text.matchAll(HEADLESS)].map(() => ({ line: index + 1, text: text.trim() })),
  );
  return { words, places };
}

function blank(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (found) => found.replaceAll(/[^\n]/g, " "));
}
