import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { withBrowser } from "./browser.ts";
import { openInspectedAgent, type InspectedAgent } from "./inspected-agent.ts";
import { createStreamingModel } from "./streaming-model.ts";

const { open } = withBrowser();
const { signal } = new AbortController();
let inspected: InspectedAgent | undefined;
afterEach(() => inspected?.close());

const FROM_END = "Math.round(document.documentElement.scrollHeight - innerHeight - scrollY)";
const fromEnd = (page: Page): Promise<number> => page.evaluate<number>(FROM_END);
const paragraph = (at: number): string => `Paragraph ${at}. ${"Some words that take room. ".repeat(12)}\n\n`;

describe("following the end of the transcript", () => {
  test.each([1280, 400])("goes on while a long answer grows, %i wide, until one scrolls up", async (width) => {
    const { model, say, end } = createStreamingModel();
    inspected = await openInspectedAgent(model);
    const { page } = await open(inspected.url, { viewport: { width, height: 800 } });
    const button = page.getByRole("button", { name: "Follow the end" });
    const run = inspected.agent.run("Talk", signal);
    const grow = async (from: number, to: number): Promise<void> => {
      for (let at = from; at < to; at += 1) {
        say(paragraph(at));
        await page.getByText(`Paragraph ${at}.`).waitFor();
      }
    };
    for (let at = 0; at < 12; at += 1) {
      await grow(at, at + 1);
      await expect.poll(() => fromEnd(page)).toBeLessThanOrEqual(1);
    }
    expect(await button.isVisible()).toBe(false);

    await page.mouse.move(width / 2, 400);
    await page.mouse.wheel(0, -300);
    await button.waitFor();
    const top = await page.evaluate<number>("scrollY");
    await grow(12, 18);
    expect(await page.evaluate<number>("scrollY")).toBe(top);

    await button.click();
    await expect.poll(() => fromEnd(page)).toBeLessThanOrEqual(1);
    await grow(18, 20);
    await expect.poll(() => fromEnd(page)).toBeLessThanOrEqual(1);

    await page.mouse.wheel(0, -300);
    await button.waitFor();
    await page.mouse.wheel(0, 100_000);
    await button.waitFor({ state: "hidden" });
    await grow(20, 22);
    await expect.poll(() => fromEnd(page)).toBeLessThanOrEqual(1);

    // The key does the same as the button.
    await page.keyboard.press("Home");
    await button.waitFor();
    await page.keyboard.press("e");
    await button.waitFor({ state: "hidden" });
    await expect.poll(() => fromEnd(page)).toBeLessThanOrEqual(1);
    end();
    await run;
  });

  test("is on again at the end after another part was shown", async () => {
    const { model, say, end } = createStreamingModel();
    inspected = await openInspectedAgent(model);
    const { page } = await open(inspected.url);
    const run = inspected.agent.run("Talk", signal);
    for (let at = 0; at < 20; at += 1) say(paragraph(at));
    await page.getByText("Paragraph 19.").waitFor();
    await page.keyboard.press("2");
    await page.locator("#tool form").waitFor();
    for (let at = 20; at < 30; at += 1) say(paragraph(at));
    end();
    await run;
    await page.keyboard.press("1");
    await page.getByText("Paragraph 29.").waitFor();
    await expect.poll(() => fromEnd(page)).toBeLessThanOrEqual(1);
  });

  test("leaves a row that was opened where it is", async () => {
    const { model, say, end } = createStreamingModel();
    inspected = await openInspectedAgent(model);
    const { page } = await open(inspected.url);
    const run = inspected.agent.run("Talk", signal);
    for (let at = 0; at < 12; at += 1) say(paragraph(at));
    end({ calls: [{ id: "1", name: "list_files", arguments: "{}" }] });
    const row = page.locator("#entries > .call summary").first();
    await page.locator("#entries > .call[data-state=done]").waitFor();
    await row.click();
    await page.getByRole("button", { name: "Follow the end" }).waitFor();
    const top = await row.evaluate("(one) => one.getBoundingClientRect().top");
    say("More. ".repeat(400));
    await page.getByText("More. More.").waitFor();
    expect(await row.evaluate("(one) => one.getBoundingClientRect().top")).toBe(top);
    end();
    await run;
  });
});
