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

const LOOKS = (["light", "dark"] as const).flatMap((scheme) => [1280, 400].map((width) => ({ scheme, width })));

/** Opens the page in a look. */
function openIn({ scheme, width }: (typeof LOOKS)[number]) {
  const options = { colorScheme: scheme, viewport: { width, height: 900 }, reducedMotion: "reduce" } as const;
  return open(inspected.url, options);
}

describe("the page of --inspect, for everyone", () => {
  test.each(LOOKS)("has nothing that axe finds wrong, in $scheme, $width wide", async (look) => {
    const { page } = await openIn(look);
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

  test.each(LOOKS)(
    "can be used by keys alone, in $scheme, $width wide, and a key outside of a question answers nothing",
    async (look) => {
      const { page } = await openIn(look);
      const focused = () => page.evaluate<string>("document.activeElement?.textContent ?? ''");
      // A question of each look's own, after the one of the run that all looks share.
      const own = `May it in ${look.scheme}, ${look.width}?`;
      let approved = false;
      const approve = page.getByRole("button", { name: "Approve" });
      await approve.waitFor();
      void inspected.inspection.approver
        .decide({ text: own, detail: [], signal })
        .then((said) => ({ approved } = said));
      await page
        .getByRole("group", { name: own })
        .getByRole("button", { name: "Approve" })
        .and(page.locator(":enabled"))
        .waitFor();
      await page.keyboard.press("a");
      await page.keyboard.press("3");
      await page.locator("#blocks a").first().waitFor();
      await page.keyboard.press("1");
      await page.locator("#transcript").waitFor();
      await page.keyboard.press("k");
      expect(await focused()).toContain(own);
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
      expect(await approve.count()).toBe(2);

      await page.keyboard.press("q");
      expect(await focused()).toContain("Let the agent write rules");
      await page.keyboard.press("q");
      expect(await focused()).toContain(own);
      expect(await page.getByRole("status").last().innerText()).toContain(`Waiting for you: ${own}`);
      expect(approved).toBe(false);
      await page.keyboard.press("a");
      await page.locator(".answered", { hasText: own }).waitFor();
      await expect.poll(focused).toContain("Approved on the page");
      await expect.poll(() => approved).toBe(true);
      expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    },
  );

  test("lets a key approve what the agent waits for", async () => {
    const { page } = await openIn({ scheme: "light", width: 1280 });
    await page.getByRole("button", { name: "Approve" }).and(page.locator(":enabled")).waitFor();
    await page.keyboard.press("q");
    await page.keyboard.press("a");
    await expect.poll(async () => (await inspected.agent.toolbox.admin.get("rules"))?.content).toBe("Be kind");
  });
});
