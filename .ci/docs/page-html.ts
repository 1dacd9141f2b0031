import path from "node:path";
import MarkdownIt from "markdown-it";
import anchor from "markdown-it-anchor";
import type { SitePage } from "./site-pages.ts";

/** How a page becomes HTML. */
export interface PageFrame {
  /** The navigation, the same on every page but for its relative links: given the page's file. */
  readonly navigation: (from: string) => string;
  /** Whether the site has this file. */
  readonly has: (file: string) => boolean;
  /** The repository's address, for links to files that are no pages. */
  readonly repository: string | undefined;
}

/** The style of all pages. */
export const STYLE = `:root{color-scheme:light dark;--line:light-dark(#d0d7de,#3d444d);--soft:light-dark(#f6f8fa,#151b23);--link:light-dark(#0550ae,#79b8ff)}
*{box-sizing:border-box}body{margin:0;font:16px/1.6 system-ui,sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
a{color:var(--link)}nav{border-right:1px solid var(--line);padding:1rem;height:100vh;position:sticky;top:0;overflow:auto;font-size:.9rem}
nav ul{list-style:none;margin:0 0 .8rem;padding-left:.6rem}nav summary{cursor:pointer;font-weight:600}nav a{text-decoration:none}nav [aria-current]{font-weight:700}
main{padding:1rem 2rem 4rem;max-width:64rem}table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}
pre{background:var(--soft);padding:.8rem;overflow:auto}code{font:.9em ui-monospace,monospace}:not(pre)>code{background:var(--soft);padding:.1em .3em}
h1,h2,h3,h4,tr{scroll-margin-top:1rem}tr:target{background:var(--soft)}img{max-width:100%}.md{float:right;font-size:.85rem}
.pages{display:none}
@media(max-width:50rem){body{display:flex;flex-direction:column}nav{order:1;height:auto;position:static;border:0;border-top:1px solid var(--line)}main{padding:1rem}.pages{display:inline;font-size:.85rem}}`;

/** Renders a page as one HTML document that needs no script. */
export function renderPage(page: SitePage, frame: PageFrame): string {
  const markdown = new MarkdownIt({ html: true, linkify: false });
  markdown.use(anchor, { slugify: githubSlug });
  const env = {};
  const tokens = markdown.parse(page.text, env);
  nameRows(tokens);
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== "link_open") continue;
    const to = linkTo(page.file, String(token.attrGet("href") ?? ""), frame)?.replace(/\.md(?=#|$)/, ".html");
    if (to === undefined) token.tag = "span";
    token.attrs = to === undefined ? [] : [["href", to]];
  }
  closeSpans(tokens);
  const body = markdown.renderer.render(tokens, markdown.options, env);
  const name = path.posix.basename(page.file);
  const site = page.title === "Dispatch" ? "Dispatch" : `${page.title} · Dispatch`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(site)}</title>
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="alternate" type="text/markdown" href="${name}">
<link rel="stylesheet" href="${path.posix.relative(path.posix.dirname(page.file), "style.css")}">
</head>
<body>
${frame.navigation(page.file)}
<main>
<a class="pages" href="#pages">All pages</a>
<a class="md" href="${name}">Markdown</a>
${body}</main>
</body>
</html>
`;
}

type Tokens = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>;

/** Gives each row of a table the name of its first cell's code as anchor, such as `#timeoutMs`. */
function nameRows(tokens: Tokens): void {
  const taken = new Set(tokens.map((token) => token.attrGet("id")));
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "tr_open" || tokens[index + 1]?.type !== "td_open") continue;
    const code = tokens[index + 2]?.children?.find(({ type }) => type === "code_inline")?.content ?? "";
    const id = /^[/\w.]+/.exec(code)?.[0];
    if (id === undefined || taken.has(id)) continue;
    taken.add(id);
    token.attrSet("id", id);
  }
}

/** A link that leads to no page is shown as text. */
function closeSpans(tokens: Tokens): void {
  for (const { children } of tokens) {
    const open: string[] = [];
    for (const token of children ?? []) {
      if (token.type === "link_open") open.push(token.tag);
      if (token.type === "link_close") token.tag = open.pop() ?? "a";
    }
  }
}

/** The text of a page, as Markdown, with its links as far as they lead somewhere. */
export function renderMarkdown({ file, text }: SitePage, frame: PageFrame): string {
  return text.replaceAll(FENCE_OR_LINK, (whole, label: string | undefined, href: string) => {
    if (label === undefined) return whole;
    const to = linkTo(file, href, frame);
    return to === undefined ? label : `[${label}](${to})`;
  });
}

/** A fence, which stays as it is, or a link, which may be that of an image. */
const FENCE_OR_LINK = /^(?:`{3,})[^]*?^`{3,}|(?<!!)\[((?:!\[[^\]]*\]\([^)]*\)|\\.|[^\][\\])+)\]\(([^)\s]+)\)/gm;

/** The target of a link of a page. `undefined`: it is not in the site, and the repository's address is not known. */
function linkTo(from: string, href: string, { has, repository }: PageFrame): string | undefined {
  if (/^[a-z][a-z\d+.-]*:|^#/i.test(href)) return href;
  const [address = "", fragment] = href.split("#", 2);
  const file = path.posix.join(path.posix.dirname(from), decodeURI(address));
  if (has(file)) return href;
  return repository === undefined
    ? undefined
    : `${repository}/blob/HEAD/${file}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** As GitHub names the anchors of headings, so that one link works in both places. */
function githubSlug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** Escapes a text for HTML and its attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
