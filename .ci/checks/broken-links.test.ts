import { expect, test } from "vitest";
import { findBrokenLinks } from "./broken-links.ts";

const page = `# Title

## \`defineTool\` options, and *more*
## Twice
## Twice
## A [link](other.md) in it
<a id="named"></a>
`;

function faults(text: string, others: Readonly<Record<string, string>> = {}): readonly string[] {
  const files = { "docs/page.md": text, "docs/other.md": page, "src/index.ts": "", "image (1).png": "", ...others };
  return findBrokenLinks(new Map(Object.entries(files))).filter((fault) => fault.startsWith("docs/page.md"));
}

test.each([
  "[x](other.md)",
  "[x](./other.md#title)",
  "[x](../src/index.ts)",
  "[x](../src/index.ts#L10)",
  "[x](../src)",
  "[x](../src/)",
  '[x](other.md "a title")',
  "[x](other.md#definetool-options-and-more)",
  "[x](other.md#twice-1)",
  "[x](other.md#a-link-in-it)",
  "[x](other.md#named)",
  "![x](<../image (1).png>)",
  "![x](../image%20(1).png)",
  "[x]: other.md",
  '<a href="other.md">x</a>',
  "[x](https://example.com/none.md#none)",
  "[x](mailto:a@example.com)",
  "# Own\n[x](#own)",
  "`[x](none.md)`",
  "``[x](none.md) ` ``",
  "```md\n[x](none.md)\n```",
  "~~~\n[x](none.md)\n~~~",
  "<!-- [x](none.md) -->",
  "list[0](call)".replace("](", "] ("),
])("%s is followed to its end", (text) => {
  expect(faults(text)).toEqual([]);
});

test.each([
  ["[x](none.md)", "there is no docs/none.md here"],
  ["[x](../src/none/)", "there is no src/none here"],
  ["[x](../../CHOOSING.md)", "there is no ../CHOOSING.md here"],
  ["[x](/README.md)", "there is no docs/README.md here"],
  ["[x](other.md#none)", "no heading of docs/other.md is called so"],
  ["[x](other.md#Title)", "no heading of docs/other.md is called so"],
  ["[x](other.md#twice-2)", "no heading of docs/other.md is called so"],
  ["[x](#own)", "no heading of docs/page.md is called so"],
  ["```md\n# Own\n```\n[x](#own)", "no heading of docs/page.md is called so"],
  ['<img src="none.png">', "there is no docs/none.png here"],
  ["[x]: none.md", "there is no docs/none.md here"],
  ["`code` and [x](none.md) and `code`", "there is no docs/none.md here"],
  ["```js\n`\n```\n[x](none.md)\n```js\n`\n```", "there is no docs/none.md here"],
])("%j leads nowhere", (text, fault) => {
  expect(faults(text)).toEqual([expect.stringMatching(new RegExp(`leads nowhere: ${fault}$`))]);
});
