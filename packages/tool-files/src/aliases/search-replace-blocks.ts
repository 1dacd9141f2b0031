/** A replacement as a diff of search and replace blocks has it. */
export interface SearchReplaceBlock {
  readonly old_text: string;
  readonly new_text: string;
}

const FENCE = /^\s*```\w*\s*$/;
const SEARCH = /^(?:-{3,}|<{3,}) ?SEARCH>?/;
const HINT = /^:(?:start|end)_line:/;
const MIDDLE = /^={3,}$/;
/** How every edge begins. */
const ON_EDGE = /^[-<=+>]{3}/;
const REPLACE = /^(?:\+{3,}|>{3,}) ?REPLACE>?/;

/**
 * The blocks of a diff of the form `------- SEARCH`, text, `=======`, text, `+++++++ REPLACE`, or with `<<<<<<<` and `>>>>>>>`.
 * `undefined`: it is anything else, or a text itself looks like the edge of a block. Takes time linear in the diff.
 */
export function searchReplaceBlocks(diff: string): readonly SearchReplaceBlock[] | undefined {
  const lines = diff.split(/\r?\n/);
  const blocks: SearchReplaceBlock[] = [];
  let at = 0;
  const isBetween = (line: string) => line.trim() === "" || FENCE.test(line);
  const textUntil = (edge: RegExp): string | undefined => {
    const from = at;
    while (at < lines.length && !isEdge(lines[at]!)) at += 1;
    if (at === lines.length || !edge.test(lines[at]!)) return undefined;
    const text = lines.slice(from, at);
    at += 1;
    return text.length === 0 ? "" : `${text.join("\n")}\n`;
  };
  for (;;) {
    while (at < lines.length && isBetween(lines[at]!)) at += 1;
    if (at === lines.length) return blocks.length === 0 ? undefined : blocks;
    if (!SEARCH.test(lines[at]!)) return undefined;
    at += 1;
    while (HINT.test(lines[at] ?? "")) at += 1;
    if (lines[at] === "-------") at += 1;
    const old = textUntil(MIDDLE);
    const now = old === undefined ? undefined : textUntil(REPLACE);
    if (old === undefined || now === undefined) return undefined;
    blocks.push({ old_text: old, new_text: now });
  }
}

function isEdge(line: string): boolean {
  return ON_EDGE.test(line) && (SEARCH.test(line) || MIDDLE.test(line) || REPLACE.test(line));
}
