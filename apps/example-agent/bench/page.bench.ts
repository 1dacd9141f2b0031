/** The page of `--inspect` in Chromium: axe violations in all of its parts, and frames in which following was lost. */
import type { Browser, Page } from "playwright-core";
import { call } from "../src/scripted/scripted-model.ts";
import { axeViolations } from "../test/axe-violations.ts";
import { startBrowser } from "../test/browser.ts";
import { busyRun } from "../test/busy-run.ts";
import { openInspectedAgent, type InspectedAgent } from "../test/inspected-agent.ts";
import { createStreamingModel } from "../test/streaming-model.ts";

const WIDTHS = [1280, 400];
const SCHEMES = ["light", "dark"] as const;
const PARAGRAPHS = 150;
const MARKDOWN =
  "## Title\n\nText with `code` and https://example.com/.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n\n";

/**
 * Counts frames: all, and those whose end was out of sight. An observer that begins in a frame reports the page as that
 * frame paints it. What a later task changes is for the next frame.
 */
const PROBE = `(() => {
  window.frames_ = { all: 0, lost: 0 };
  const observer = new IntersectionObserver(([{ boundingClientRect, rootBounds }]) => {
    window.frames_.all += 1;
    if (boundingClientRect.bottom - rootBounds.bottom > 2) window.frames_.lost += 1;
  });
  const begin = () => {
    observer.disconnect();
    observer.observe(document.documentElement);
    requestAnimationFrame(begin);
  };
  requestAnimationFrame(begin);
})()`;

const browser = await startBrowser();
let [violations, all, lost] = [0, 0, 0];
for (const width of WIDTHS) {
  const frames = await streamAnswer(browser, width);
  all += frames.all;
  lost += frames.lost;
  for (const colorScheme of SCHEMES) violations += await countViolations(browser, width, colorScheme);
}
await browser.close();
console.log(`METRIC page.axe_violations ${violations} places`);
console.log(`METRIC page.frames ${all} frames`);
console.log(`METRIC page.lost_follow ${lost} frames`);

async function openPage(url: string, from: Browser, width: number, colorScheme: "light" | "dark"): Promise<Page> {
  const page = await from.newPage({ viewport: { width, height: 800 }, colorScheme, reducedMotion: "reduce" });
  await page.goto(url);
  return page;
}

/** A long answer that grows, then calls, a program with calls of its own, and a question at the end. */
async function streamAnswer(from: Browser, width: number): Promise<{ all: number; lost: number }> {
  const { model, say, end } = createStreamingModel();
  const inspected = await openInspectedAgent(model, { "a.txt": "one\n" });
  const page = await openPage(inspected.url, from, width, "light");
  await page.getByText("Nothing has happened yet").waitFor();
  const run = inspected.agent.run("Talk", new AbortController().signal);
  await page.evaluate(PROBE);
  for (let at = 0; at < PARAGRAPHS; at += 1) {
    say(at % 10 === 0 ? MARKDOWN : `Paragraph ${at}. ${"Some words that take room. ".repeat(at % 15)}\n\n`);
    const said = at % 10 === 0 ? page.getByText("Title").nth(at / 10) : page.getByText(`Paragraph ${at}.`);
    await said.waitFor({ state: "attached" });
  }
  const code = `for (let at = 0; at < 200; at += 1) await read_file({ path: "a.txt" });\nconsole.log("x\\n".repeat(200));`;
  const workflow = { path: ".github/workflows/x.yml", content: "on: push\n" };
  end({
    text: "Then calls.",
    calls: [call("execute_code", { code }), call("create_file", workflow)].map((one, at) => ({ id: `${at}`, ...one })),
  });
  // A click on a button that is disabled yet would scroll the page while it waits, as a person may.
  await page.locator(".card .yes:enabled").click();
  await page.locator(".turn").nth(1).waitFor();
  say("Done.");
  await page.getByText("Done.").waitFor();
  end();
  await run;
  const frames = await page.evaluate<{ all: number; lost: number }>("window.frames_");
  await page.close();
  await inspected.close();
  return frames;
}

/** A run with failures, nested calls, a diff, Markdown and a question, in every part of the page. */
async function countViolations(from: Browser, width: number, scheme: "light" | "dark"): Promise<number> {
  const inspected = await openInspectedAgent(busyRun(MARKDOWN), { "a.txt": "one\n" });
  const page = await openPage(inspected.url, from, width, scheme);
  const stop = new AbortController();
  const run = inspected.agent.run("Work", stop.signal);
  await page.locator(".card button:enabled").first().waitFor();
  await page.evaluate("for (const one of document.querySelectorAll('#entries details')) one.open = true");
  await page.locator(".nested .call").first().waitFor();
  const faults = [...(await axeViolations(page))];
  faults.push(...(await inPart(page, inspected, "#/tools/edit_file", "#tool form")));
  faults.push(...(await inPart(page, inspected, "#/tools/memory_write", "#tool form")));
  faults.push(...(await inPart(page, inspected, "#/memory/notes", "#block .history")));
  for (const fault of faults) console.log(fault);
  stop.abort(new Error("The bench is over"));
  await run;
  await page.close();
  await inspected.close();
  return faults.length;
}

async function inPart(page: Page, { base }: InspectedAgent, hash: string, shown: string): Promise<readonly string[]> {
  await page.goto(`${base}/${hash}`);
  await page.locator(shown).waitFor();
  await page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true");
  return axeViolations(page);
}
