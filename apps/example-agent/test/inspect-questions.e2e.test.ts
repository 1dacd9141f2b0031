import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { call, turn } from "../src/scripted/scripted-model.ts";
import { withBrowser } from "./browser.ts";
import { chooseTool } from "./choose-tool.ts";
import { openInspectedAgent, type InspectedAgent } from "./inspected-agent.ts";

const { open } = withBrowser();
const { signal } = new AbortController();
let inspected: InspectedAgent | undefined;
afterEach(() => inspected?.close());

const workflow = (name: string) =>
  call("create_file", { path: `.github/workflows/${name}.yml`, content: "on: push\n" });
const icon = (page: Page) => page.locator("#icon").getAttribute("href");

/** Whether all of an element is in the window and nothing stands above it. */
function isInSight(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { top, bottom, left, right } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    const isInside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return isInside && above?.closest(${JSON.stringify(selector)}) !== null;
  })()`);
}

describe("a question on the page of --inspect", () => {
  test.each([1280, 400])("stands at its row and in sight wherever one scrolls, %i wide", async (width) => {
    inspected = await openInspectedAgent(function* () {
      yield turn("Paragraph.\n\n".repeat(60), workflow("a"), call("list_files", {}));
      return "Done.\n\n".repeat(60);
    });
    const { page } = await open(inspected.url, { viewport: { width, height: 800 } });
    expect(await icon(page)).toBe("icon.svg");
    const run = inspected.agent.run("Do it", signal);
    const card = page.getByRole("group", { name: "Let the agent call create_file?" });
    await card.waitFor();
    expect(await page.locator("#entries > .call:has(+ .asked)").textContent()).toContain("create_file");
    await expect.poll(() => page.title()).toBe("(1) Waiting for you · Dispatch");
    expect(await icon(page)).toBe("icon-waiting.svg");
    for (const top of [0, 600, 100_000]) {
      await page.evaluate(`scrollTo(0, ${top})`);
      await expect.poll(() => isInSight(page, ".card[data-open] .choices button")).toBe(true);
    }
    // From another part, the status leads there at every width.
    await page.keyboard.press("2");
    await page.getByRole("button", { name: "Waiting for you 1" }).click();
    await expect.poll(() => page.evaluate("document.activeElement.className")).toBe("card");
    await card.getByRole("button", { name: "Approve" }).click();
    await page.locator(".answered", { hasText: "Approved on the page" }).waitFor();
    await run;
    await expect.poll(() => page.title()).toBe("Dispatch");
    expect(await icon(page)).toBe("icon.svg");
    const row = page.locator("#entries > .call:has(+ .asked)");
    expect(await row.textContent()).toContain("create_file");
    // The time of the call leaves out the person's.
    await row.locator("summary").first().click();
    await row.getByText(/took \d.*, waited [\d.]+ m?s for an answer/).waitFor({ state: "attached" });
  });

  test("is reached by q, which never leads to one that is answered", async () => {
    inspected = await openInspectedAgent(function* () {
      yield turn("", workflow("a"));
      yield turn("", workflow("b"));
      return "Done.";
    });
    const { page } = await open(inspected.url);
    const run = inspected.agent.run("Do it", signal);
    const focused = () => page.evaluate<string>("document.activeElement.innerText");
    for (const name of ["a", "b"]) {
      await page.locator(".card[data-open] button:enabled").first().waitFor();
      await page.evaluate("document.activeElement.blur()");
      await page.keyboard.press("q");
      expect(await focused()).toContain(`workflows/${name}.yml`);
      await page.keyboard.press("q");
      expect(await focused()).toContain(`workflows/${name}.yml`);
      await page.keyboard.press("a");
      await expect.poll(() => page.locator(".answered").count()).toBe(name === "a" ? 1 : 2);
    }
    await run;
    await page.evaluate("document.activeElement.blur()");
    for (const key of ["q", "a", "r", "l"]) await page.keyboard.press(key);
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
    expect(await page.locator(".card").count()).toBe(0);
  });

  test("leads from one to the next while several wait, and shows each at its own call", async () => {
    inspected = await openInspectedAgent(function* () {
      yield turn("", workflow("a"), workflow("b"));
      return "Done.";
    });
    const { approver } = inspected.inspection;
    const { page } = await open(inspected.url);
    const decided: string[] = [];
    for (const name of ["First", "Second", "Third"]) {
      void approver
        .decide({ text: `${name}?`, detail: [], signal })
        .then(({ approved }) => decided.push(`${name} ${approved}`));
    }
    await page.locator(".card").nth(2).waitFor();
    await expect.poll(() => page.title()).toContain("(3)");
    await expect.poll(() => page.locator(".card button:disabled").count()).toBe(0);
    await page.keyboard.press("q");
    await page.keyboard.press("q");
    await page.keyboard.press("r");
    await expect.poll(() => decided).toEqual(["Second false"]);
    // Until the page knows, the next question is the one after the second.
    await page.locator(".answered", { hasText: "Second?" }).waitFor();
    expect(await isInSight(page, ".asked.first .choices button")).toBe(true);
    await page.keyboard.press("q");
    await page.keyboard.press("a");
    await expect.poll(() => decided).toEqual(["Second false", "First true"]);
  });

  test("can be answered for calls to come, and is not asked again", async () => {
    inspected = await openInspectedAgent(function* () {
      yield turn("", workflow("a"));
      yield turn("", workflow("b"));
      return "Both are done.";
    });
    const { page } = await open(inspected.url);
    const run = inspected.agent.run("Do it", signal);
    await page.getByRole("button", { name: "always create_file" }).click();
    await run;
    await page.getByText("Both are done.").waitFor();
    expect(await page.locator(".answered").count()).toBe(1);
    expect(await page.locator("#entries > .call[data-state=done]").count()).toBe(2);
  });

  test("is at the row of a call that the person made, and answered there", async () => {
    inspected = await openInspectedAgent(() => ({}) as never);
    const { page } = await open(inspected.url);
    await page.getByRole("link", { name: "Tools" }).click();
    await chooseTool(page, "create_file");
    await page.getByLabel("path required").fill(".github/workflows/x.yml");
    await page.getByLabel("content required").fill("on: push");
    await page.getByRole("button", { name: "Run create_file" }).click();
    const results = page.getByRole("list", { name: "Results" });
    await results.getByRole("button", { name: "Approve" }).click();
    await results.getByText("Created").first().waitFor();
    await results.locator(".answered").waitFor();
    await page.getByRole("link", { name: "Transcript" }).click();
    expect(await page.locator("#entries .answered").count()).toBe(1);
  });
});
