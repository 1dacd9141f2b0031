import fc from "fast-check";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { withBrowser } from "./browser.ts";
import { openInspectedAgent, type InspectedAgent } from "./inspected-agent.ts";

const { open } = withBrowser();
let inspected: InspectedAgent | undefined;
afterEach(() => inspected?.close());

/** Shows texts of an agent in a page that is open, and reads the elements that became of each. */
async function openPage(): Promise<{ page: Page; complaints: readonly string[]; asked: string[]; show: Show }> {
  inspected = await openInspectedAgent(() => ({}) as never);
  const { agent } = inspected;
  const opened = await open(inspected.url);
  const asked: string[] = [];
  opened.page.on("request", (request) => asked.push(request.url()));
  const said = opened.page.locator("#entries > .said.agent");
  let count = 0;
  const show: Show = async (...texts) => {
    for (const text of texts) agent.session.add({ role: "assistant", text, calls: [] });
    count += texts.length;
    await said.nth(count - 1).waitFor({ state: "attached" });
    const all = await said
      .locator("> .markdown")
      .evaluateAll((found: readonly { readonly innerHTML: string }[]) => found.map(({ innerHTML }) => innerHTML));
    expect(all).toHaveLength(count);
    return texts.map((text, at) => ({ text, html: all[count - texts.length + at] ?? "" }));
  };
  return { ...opened, asked, show };
}
type Show = (...texts: readonly string[]) => Promise<readonly { readonly text: string; readonly html: string }[]>;

const LINKS = [
  "[a](javascript:window.ran=1)",
  "[a](JaVaScRiPt:window.ran=1)",
  "[a](\tjavascript:window.ran=1)",
  "[a](javascript&#58;window.ran=1)",
  "[a](data:text/html,<script>window.ran=1</script>)",
  "[a](vbscript:x)",
  "[a](file:///etc/passwd)",
  "[a](//evil.example/x)",
  "[a](/api/export)",
  "[a]( https://evil.example/x)",
  "<javascript:window.ran=1>",
  "[a][r]\n\n[r]: javascript:window.ran=1",
  '[a](https://evil.example "onmouseover=window.ran=1")',
  '[a](https://evil.example/"onmouseover="window.ran=1)',
  "![a](https://evil.example/p.png)",
  '![a](x" onerror="window.ran=1)',
  "<img src=x onerror=window.ran=1>",
  "<svg/onload=window.ran=1>",
  "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
  "<style>*{display:none}</style><base href=https://evil.example>",
  "<a href=javascript:window.ran=1 class=card data-open>x</a>",
  "`<script>window.ran=1</script>`",
  '```"onload=window.ran=1\n<script>window.ran=1</script>\n```',
  "| <img src=x onerror=window.ran=1> | b |\n|---|---|\n| <script>window.ran=1</script> | d |",
  "- [x] <script>window.ran=1</script>",
  "[__proto__](https://evil.example) [constructor](x)\n\n[__proto__]: https://evil.example",
];
const KINDS = /<(?!\/?(?:div|p|pre|blockquote|hr|ul|ol|li|table|thead|tbody|tr|th|td|strong|em|s|code|br|a)\b)[^>]*>/;
const ATTRIBUTES = /\s(?!(?:class|tabindex|role|aria-label|href|target|rel|start)=)[\w-]+=(?=[^<>]*>)/;

describe("a model's Markdown on the page", () => {
  test("makes no element, address or request that the page does not make itself", async () => {
    const { page, complaints, asked, show } = await openPage();
    for (const { text, html } of await show(...LINKS)) {
      expect(html, text).not.toMatch(KINDS);
      expect(html.replaceAll(/"[^"]*"/g, '""'), text).not.toMatch(ATTRIBUTES);
      for (const [, address] of html.matchAll(/href="([^"]*)"/g)) expect(address, text).toMatch(/^https?:\/\//);
    }
    expect(await page.locator(".markdown .card, .markdown [data-open]").count()).toBe(0);
    // The link text is the address, even if the model gives another label.
    for (const link of await page.locator(".markdown a").all()) {
      expect(await link.textContent()).toBe(await link.getAttribute("href"));
      expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    }
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(asked.filter((url) => !url.startsWith(`${inspected?.base ?? ""}/`))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("keeps to these elements whatever the pieces are put together to", async () => {
    const { page, complaints, show } = await openPage();
    const piece = fc.constantFrom(
      ...LINKS,
      "**",
      "_",
      "`",
      "~~",
      "\n",
      "\n\n",
      "> ",
      "- ",
      "1. ",
      "|",
      "# ",
      "[",
      "](",
      ")",
      "<",
      "&lt;",
    );
    const samples = fc.sample(fc.array(piece, { minLength: 2, maxLength: 12 }), 150);
    const texts = samples.map((pieces) => pieces.join("")).filter((one) => one.trim() !== "");
    for (const { text, html } of await show(...texts)) {
      expect(html, text).not.toMatch(KINDS);
      for (const [, address] of html.matchAll(/href="([^"]*)"/g)) expect(address, text).toMatch(/^https?:\/\//);
    }
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test("shows a text that is too deep, too long or too slow to read as it stands", async () => {
    const { complaints, show } = await openPage();
    const slow = ["_a_".repeat(9_000), "a.".repeat(14_000) + "@", "*a **b ".repeat(3_000), "|a".repeat(9_000)];
    for (const text of [">".repeat(9_000), "1. ".repeat(6_000), `**${"x".repeat(40_000)}**`, ...slow]) {
      const [{ html } = { html: "" }] = await show(text);
      expect(html.length).toBeGreaterThan(1_000);
      expect((html.match(/<blockquote|<ol/g) ?? []).length).toBeLessThan(20);
    }
    expect(await show("Then **this**")).toMatchObject([{ html: expect.stringContaining("<strong>this</strong>") }]);
    expect(complaints).toEqual([]);
  });

  test("keeps the blocks that are there while a text grows", async () => {
    const { page } = await openPage();
    const { view } = inspected?.agent ?? {};
    view?.text("First *block*.\n\nAnother");
    await page.getByText("Another").waitFor();
    await page.evaluate("document.querySelector('.markdown p').marked = true");
    view?.text(" block, **bold**.\n\n- item");
    await page.getByText("item").waitFor();
    expect(await page.evaluate("document.querySelector('.markdown p').marked")).toBe(true);
    expect(await page.locator(".markdown").innerText()).toBe("First block.\n\nAnother block, bold.\n\nitem");
  });
});
