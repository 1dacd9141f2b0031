import path from "node:path";

/** A fenced block of Markdown, fences included. */
const FENCE = /^( *)(`{3,}|~{3,})[^\n]*\n[^]*?^ *\2[`~]* *$/gm;

const CODE = /(`+)(?!`)[^]*?[^`]\1(?!`)/g;
const COMMENT = /<!--[^]*?-->/g;
const INLINE = /\]\((?:<(?<quoted>[^>]*)>|(?<bare>[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+["'(][^\n]*?["')])?\)/g;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*<?(?<target>[^\s>]+)>?/gm;
const HTML = /<(?:a|img)\s[^>]*?(?:href|src)="(?<target>[^"]*)"/g;
const HEADING = /^ {0,3}#{1,6}\s+(?<title>.*?)(?:\s+#+)?\s*$/gm;
const NAMED = /<[a-z]+\s[^>]*?(?:id|name)="(?<name>[^"]*)"/g;

/**
 * Follows every link and anchor of the Markdown pages of a tree: a repository, or the contents of a tarball.
 *
 * @param files - Every file by its path, with `/` between directories; only the text of pages matters.
 * @returns One sentence per link that leads nowhere. Addresses of other hosts are not followed.
 */
export function findBrokenLinks(files: ReadonlyMap<string, string>): readonly string[] {
  const directories = new Set([...files.keys()].flatMap((file) => directoriesOf(file)));
  return [...files]
    .filter(([file]) => file.endsWith(".md"))
    .flatMap(([page, text]) => {
      return targetsOf(text).flatMap((target) => {
        const fault = faultOf(page, target);
        return fault === undefined ? [] : [`${page}: the link to ${target} leads nowhere: ${fault}`];
      });
    });

  function faultOf(page: string, target: string): string | undefined {
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(target)) return undefined;
    const [address = "", anchor] = target.split("#", 2);
    const to =
      address === "" ? page : path.posix.join(path.posix.dirname(page), decodeURI(address.split("?", 1)[0] ?? ""));
    const file = to.replace(/\/$/, "");
    const text = files.get(file);
    if (text === undefined) return directories.has(file) ? undefined : `there is no ${file} here`;
    if (anchor === undefined || anchor === "" || !file.endsWith(".md")) return undefined;
    return anchorsOf(text).has(decodeURIComponent(anchor)) ? undefined : `no heading of ${file} is called so`;
  }
}

function directoriesOf(file: string): readonly string[] {
  const parts = file.split("/").slice(0, -1);
  return [".", ...parts.map((_, index) => parts.slice(0, index + 1).join("/"))];
}

function targetsOf(page: string): readonly string[] {
  const text = page.replaceAll(FENCE, "").replaceAll(COMMENT, "").replaceAll(CODE, "code");
  const inline = [...text.matchAll(INLINE)].map(({ groups = {} }) => groups["quoted"] ?? groups["bare"] ?? "");
  const others = [...text.matchAll(DEFINITION), ...text.matchAll(HTML)].map(
    ({ groups = {} }) => groups["target"] ?? "",
  );
  return [...new Set([...inline, ...others])];
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = page.replaceAll(FENCE, "");
  const anchors = new Set([...text.matchAll(NAMED)].map(({ groups = {} }) => groups["name"] ?? ""));
  const counts = new Map<string, number>();
  for (const { groups = {} } of text.matchAll(HEADING)) {
    const title = (groups["title"] ?? "").replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/<[^>]*>/g, "");
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}
