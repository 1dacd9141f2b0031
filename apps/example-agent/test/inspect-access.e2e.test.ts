import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { withBrowser } from "./browser.ts";
import { busyRun } from "./busy-run.ts";
import { chooseTool } from "./choose-tool.ts";
import { openInspectedAgent, type InspectedAgent } from "./inspected-agent.ts";

const { signal } = new AbortController();
const { open } = withBrowser();

let inspected: InspectedAgent;
beforeAll(async () => {
  inspected = await openInspectedAgent(busyRun("I work."), { "a.txt": "one\n" });
  void inspected.agent.run("Work", signal);
});
afterAll(() => inspected?.close());

describe("the page of --inspect, for everyone", () => {
  const looks = (["light", "dark"] as const).flatMap((scheme) => [1280, 400].map((width) => ({ scheme, width })));

  test.each(looks)("has nothing that axe finds wrong, in $scheme, $width wide", async ({ scheme, width }) => {
    const options = { colorScheme: scheme, viewport: { width, height: 900 }, reducedMotion: "reduce" } as const;
    const { page } = await open(inspected.url, options);
    await page.getByRole("button", { name: "Approve" }).and(page.locator(":enabled")).waitFor();
    await page.evaluate("for (const one of document.querySelectorAll('.call > details')) one.open = true");
    await page.locator(".nested .call").first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const isTooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect(await page.evaluate(isTooWide)).toBe(false);

    await page.keyboard.press("2");
    await chooseTool(page, "edit_file");
    await page.getByRole("button", { name: "Run edit_file" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(isTooWide)).toBe(false);

    await page.getByRole("link", { name: /Memory/ }).click();
    await page.getByRole("link", { name: /^notes/ }).click();
    await page.getByRole("button", { name: /Undo change/ }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(isTooWide)).toBe(false);
  });

  test("can be used by keys alone, and a key outside of a question answers nothing", async () => {
    const { page } = await open(inspected.url);
    const focused = () => page.evaluate<string>("document.activeElement?.textContent ?? ''");
    const approve = page.getByRole("button", { name: "Approve" });
    await approve.and(page.locator(":enabled")).waitFor();
    await page.keyboard.press("a");
    await page.keyboard.press("3");
    await page.locator("#blocks a").first().waitFor();
    await page.keyboard.press("1");
    await page.locator("#transcript").waitFor();
    await page.keyboard.press("k");
    expect(await focused()).toContain("Let the agent write rules");
    await page.keyboard.press("k");
    const last = page.locator("#entries > .call").last();
    expect(await focused()).toContain("memory_write");
    await page.keyboard.press("Enter");
    await last.getByRole("group", { name: "What was answered" }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("j");
    expect(await focused()).toContain("memory_write");
    await page.keyboard.press("Tab");
    expect(await approve.count()).toBe(1);

    await page.keyboard.press("q");
    expect(await focused()).toContain("Let the agent write rules");
    expect(await page.getByRole("status").last().innerText()).toContain("Waiting for you: Let the agent write rules");
    await page.keyboard.press("a");
    await page.getByText("Approved on the page").first().waitFor();
    expect(await focused()).toContain("Approved on the page");
    await expect.poll(async () => (await inspected.agent.toolbox.steward.get("rules"))?.content).toBe("Be kind");
  });
});
