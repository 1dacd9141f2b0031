import { fill, h } from "./dom.js";
import { lexer } from "./marked.js";

// A model's Markdown becomes elements of the few kinds below. The library only cuts the text into tokens: no HTML is made
// of it and none is read, so HTML in a text is shown as text. Nothing is loaded, and a link shows where it leads.

/** Characters of a text that are read as Markdown; a longer one is shown as it stands. */
const MAX_CHARS = 30_000;
/** How long reading may take, in milliseconds: a text that took longer is shown as it stands from then on. */
const MAX_READ_MS = 200;
/** A shorter text is parsed quickly in every case: on a busy machine its time has no meaning. */
const MIN_SLOW_CHARS = 4_000;
/** Lists and quotes within each other. */
const MAX_DEPTH = 12;
const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** An element with a text that grows. Blocks that did not change keep their elements. */
export function createMarkdown() {
  const element = h("div", { class: "markdown" });
  let shown = [];
  let isPlain = false;
  return {
    element,
    update(text) {
      const tokens = isPlain || text.length > MAX_CHARS ? undefined : read(text);
      if (tokens === undefined) {
        isPlain = true;
        shown = [];
        return void fill(element, h("p", { class: "words" }, text));
      }
      let same = 0;
      while (same < shown.length && shown[same] === tokens[same]?.raw) same += 1;
      if (shown.length === 0) element.replaceChildren();
      while (element.children.length > same) element.lastElementChild.remove();
      // A block stands for each token, so that the first of both belong together.
      element.append(...tokens.slice(same).map((token) => h("div", {}, ...block(token, 0))));
      shown = tokens.map(({ raw }) => raw);
    },
  };

  function read(text) {
    const began = performance.now();
    try {
      const tokens = lexer(text).filter(({ type }) => type !== "space" && type !== "def");
      const isSlow = text.length >= MIN_SLOW_CHARS && performance.now() - began > MAX_READ_MS;
      return isSlow ? undefined : tokens;
    } catch {
      return undefined;
    }
  }
}

function blocks(tokens, depth) {
  return (tokens ?? []).flatMap((token) => block(token, depth));
}

function block(token, depth) {
  if (depth > MAX_DEPTH) return [token.raw];
  const { type, tokens, text, raw } = token;
  if (type === "heading") return [h("p", { class: "heading" }, ...inline(tokens, depth))];
  if (type === "paragraph") return [h("p", {}, ...inline(tokens, depth))];
  if (type === "text") return tokens === undefined ? [plain(text)] : inline(tokens, depth);
  if (type === "code") return [h("pre", { class: "text", tabindex: "0", role: "group", "aria-label": "Code" }, text)];
  if (type === "blockquote") return [h("blockquote", {}, ...blocks(tokens, depth + 1))];
  if (type === "hr") return [h("hr")];
  if (type === "list") {
    const items = token.items.map((item) => h("li", {}, ...checked(item), ...blocks(item.tokens, depth + 1)));
    return [h(token.ordered ? "ol" : "ul", token.ordered ? { start: token.start } : {}, ...items)];
  }
  if (type === "table") return [table(token, depth)];
  return type === "space" ? [] : [raw];
}

function checked({ task, checked: isDone }) {
  return task ? [isDone ? "☑ " : "☐ "] : [];
}

function table({ header, rows }, depth) {
  const cells = (tag, row) => h("tr", {}, ...row.map((cell) => h(tag, {}, ...inline(cell.tokens, depth))));
  const made = h(
    "table",
    {},
    h("thead", {}, cells("th", header)),
    h("tbody", {}, ...rows.map((row) => cells("td", row))),
  );
  return h("div", { class: "table", tabindex: "0", role: "group", "aria-label": "Table" }, made);
}

const SPANS = { strong: "strong", em: "em", del: "s" };

function inline(tokens, depth) {
  return (tokens ?? []).flatMap((token) => {
    const { type, text, raw, href } = token;
    if (depth > MAX_DEPTH) return [raw];
    if (type in SPANS) return [h(SPANS[type], {}, ...inline(token.tokens, depth + 1))];
    if (type === "codespan") return [h("code", {}, text)];
    if (type === "br") return [h("br")];
    if (type === "link") return link(href, inline(token.tokens, depth + 1), text);
    if (type === "image") return [`[image: ${text}] (${href})`];
    if (type === "text" && token.tokens !== undefined) return inline(token.tokens, depth + 1);
    return [type === "text" || type === "escape" ? plain(text) : raw];
  });
}

/** The link text is the address: the model's own label may name another place. */
function link(href, words, text) {
  const isWeb = /^https?:\/\//i.test(href);
  const address = isWeb ? h("a", { href, target: "_blank", rel: "noopener noreferrer" }, href) : href;
  return text === href ? [address] : [...words, " (", address, ")"];
}

function plain(text) {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => NAMED[name]);
}
