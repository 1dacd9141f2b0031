import path from "node:path";
import { FENCE } from "./code-fence.ts";

/** A README is an overview; a page in `docs/` has one topic. */
const MAX_README_BYTES = 12 * 1024;
const MAX_PAGE_BYTES = 10 * 1024;
const MAX_CELL_CHARS = 200;

const README = /^(?:packages|apps)\/[^/]+\/README\.md$/;
const DOCS_PAGE = /^(?:packages|apps)\/[^/]+\/docs\/[^/]+\.md$/;
const LINK = /\]\((?<target>[^)\s#]+)/g;

/**
 * Lists where the documentation of the packages and apps breaks a rule: the size of a README or page, the length of a
 * table cell, one title per page and a sentence below it, and that the README links to every page.
 *
 * @param files - Every file of the repository by its path, with `/` between directories.
 */
export function findPageViolations(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([file, text]) => {
    if (README.test(file)) {
      return [...tooLong(file, text, MAX_README_BYTES), ...longCells(file, text), ...unlinked(files, file, text)];
    }
    if (!DOCS_PAGE.test(file)) return [];
    return [
      ...tooLong(file, text, MAX_PAGE_BYTES),
      ...longCells(file, text),
      ...titles(file, text),
      ...withoutLead(file, text),
    ];
  });
}

function tooLong(file: string, text: string, most: number): readonly string[] {
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return [];
  return [`${file}: ${bytes} bytes, at most ${most} are allowed; move a topic to a page of its own in docs/`];
}

function longCells(file: string, text: string): readonly string[] {
  const lines = text.replaceAll(FENCE, (fence) => fence.replaceAll(/[^\n]/g, "")).split("\n");
  return lines.flatMap((line, index) => {
    if (!line.startsWith("|")) return [];
    const longest = Math.max(...line.split(/(?<!\\)\|/).map((cell) => cell.trim().length));
    if (longest <= MAX_CELL_CHARS) return [];
    return [
      `${file}:${index + 1}: a table cell of ${longest} characters, at most ${MAX_CELL_CHARS} are allowed; say the rest below the table`,
    ];
  });
}

function titles(file: string, text: string): readonly string[] {
  const found = text.replaceAll(FENCE, "").match(/^# /gm)?.length ?? 0;
  return text.startsWith("# ") && found === 1
    ? []
    : [`${file}: a page begins with its title, \`# …\`, and has no other`];
}

/** The first sentence is the page's description in search results and in `llms.txt`. */
function withoutLead(file: string, text: string): readonly string[] {
  return /^# .+\n\n[\p{L}`[*]/u.test(text) && !/^# .+\n\n```/.test(text)
    ? []
    : [`${file}: below its title a page says in a sentence which subject it has`];
}

function unlinked(files: ReadonlyMap<string, string>, readme: string, text: string): readonly string[] {
  const directory = path.posix.dirname(readme);
  const linked = new Set([...text.matchAll(LINK)].map(({ groups }) => `${directory}/${groups?.["target"] ?? ""}`));
  return [...files.keys()]
    .filter((file) => DOCS_PAGE.test(file) && file.startsWith(`${directory}/`) && !linked.has(file))
    .map((file) => `${readme}: no link to ${path.posix.relative(directory, file)}; add it to the table of topics`);
}
