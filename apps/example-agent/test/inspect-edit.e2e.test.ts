import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { call, turn, type Script } from "../src/scripted/scripted-model.ts";
import { axeViolations } from "./axe-violations.ts";
import { withBrowser } from "./browser.ts";
import { openInspectedAgent, type InspectedAgent } from "./inspected-agent.ts";

const { open } = withBrowser();
const { signal } = new AbortController();
let inspected: InspectedAgent | undefined;
afterEach(() => inspected?.close());

const SENT = { path: ".github/workflows/a.yml", content: "on: push\r\njobs: {}\r\n" };
const QUESTION = "Let the agent call create_file?";

/** An agent that creates a file, and says what it read as the answer. */
async function asking(sent: object): Promise<InspectedAgent> {
  const script: Script = function* () {
    const [answer] = yield turn("", call("create_file", sent));
    return `It said: ${String(answer)}`;
  };
  inspected = await openInspectedAgent(script);
  return inspected;
}

/** Waits until the question can be answered, so that its keys do something. */
const ready = (page: Page) => page.locator(".card[data-open] button.yes:enabled").first().waitFor();

/** A question about a call, with the form for its arguments. */
async function changing() {
  const agent = await asking(SENT);
  const { page } = await open(agent.url);
  const run = agent.agent.run("Do it", signal);
  await ready(page);
  const card = page.getByRole("group", { name: QUESTION });
  await card.getByRole("button", { name: "Change" }).click();
  return { agent, page, run, card };
}
const fileOf = ({ workspace }: InspectedAgent, name: string) => path.join(workspace, name);

describe("a call that waits for approval, on the page of --inspect", () => {
  test("has its arguments changed by keys alone; page, file and model know what ran", async () => {
    const agent = await asking(SENT);
    const { page, complaints } = await open(agent.url, { viewport: { width: 400, height: 800 } });
    const run = agent.agent.run("Do it", signal);
    await ready(page);
    await page.keyboard.press("q");
    await page.keyboard.press("c");
    const form = page.getByRole("form", { name: "Change the arguments of create_file" });
    await form.waitFor();
    // Nothing but what the form offers can be answered meanwhile.
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate("document.activeElement.value")).toBe(SENT.path);
    await page.keyboard.press("End");
    for (let at = 0; at < 5; at += 1) await page.keyboard.press("Backspace");
    await page.keyboard.type("b.yml");
    await page.keyboard.press("Control+Enter");
    const changes = page.getByRole("group", { name: "Your changes" });
    await changes.waitFor();
    expect(await changes.innerText()).toMatch(
      /-path: "\.github\/workflows\/a\.yml"\s+\+path: "\.github\/workflows\/b\.yml"/,
    );
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Approve as changed" }).and(page.locator(":enabled")).waitFor();
    expect(existsSync(fileOf(agent, SENT.path))).toBe(false);
    await page.keyboard.press("a");
    expect(await run).toEqual({ outcome: "done" });
    // The untouched text keeps its line ends.
    expect(readFileSync(fileOf(agent, ".github/workflows/b.yml"), "utf8")).toBe(SENT.content);
    expect(existsSync(fileOf(agent, SENT.path))).toBe(false);

    await page.locator(".answered", { hasText: "Approved with changes on the page" }).waitFor();
    const row = page.locator("#entries > .call", { hasText: "create_file" });
    await row.getByText("changed by you").waitFor();
    await row.locator("summary").first().click();
    await expect
      .poll(() => row.locator(".body").innerText())
      .toMatch(/Sent by the model[^]*a\.yml[^]*Changed by the person[^]*Ran with[^]*b\.yml/);
    await page.getByText("It said:").waitFor();
    expect(await page.locator(".said.agent").last().innerText()).toMatch(
      /The person who approved the call changed it before it ran: "path" was edited from "\S+a\.yml" to "\S+b\.yml"/,
    );
    const [entry] = agent.agent.session.transcript.entries;
    expect(JSON.parse(String(entry?.arguments))).toEqual(SENT);
    expect(entry?.result).toMatchObject({ repairs: [{ kind: "edited", path: ["path"] }] });
    expect(await axeViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("says what is wrong with changes, goes back, and runs as it was when they are left", async () => {
    const { agent, run, card } = await changing();
    const show = card.getByRole("button", { name: "Show the changes" });
    await show.click();
    await card.getByText("Nothing is changed").waitFor();
    await card.getByRole("button", { name: "Write JSON" }).click();
    const raw = card.getByLabel("All arguments as JSON");
    for (const [text, said] of [
      ['{"path":"a.yml"}', "content"],
      [`{"path":"a.yml","content":"x","__proto__":{"executable":true}}`, "__proto__"],
      [`{"path":"a.yml","content":"x","constructor":{}}`, "constructor"],
      [`{"path":"a.yml","content":${JSON.stringify("x".repeat(5_000_000))}}`, "allowed are 2000000 bytes"],
    ] as const) {
      await raw.fill(text);
      await show.click();
      await card.getByRole("alert").getByText(said).first().waitFor();
    }
    await raw.fill('{"path":"a.yml","content":"x"}');
    await show.click();
    await card.getByRole("group", { name: "Your changes" }).waitFor();
    await card.getByRole("button", { name: "Change more" }).click();
    expect(await raw.inputValue()).toBe('{"path":"a.yml","content":"x"}');
    await card.getByRole("button", { name: "Leave it unchanged" }).click();
    await card.getByRole("button", { name: "Approve" }).click();
    await run;
    expect(readFileSync(fileOf(agent, SENT.path), "utf8")).toBe(SENT.content);
    expect(existsSync(fileOf(agent, "a.yml"))).toBe(false);
  });

  test.each(["../outside.yml", "/tmp/outside.yml", ".git/hooks/pre-commit"])(
    "cannot be changed to lead to %s: the sandbox judges what runs",
    async (to) => {
      const { agent, page, run, card } = await changing();
      await card.getByLabel("path required").fill(to);
      await card.getByRole("button", { name: "Show the changes" }).click();
      await card.getByRole("button", { name: "Approve as changed" }).click();
      await run;
      await page.locator("#entries > .call[data-state=failed]").waitFor();
      expect(existsSync(path.resolve(agent.workspace, to))).toBe(false);
      expect(agent.agent.session.transcript.entries[0]?.result).toMatchObject({ success: false });
    },
  );
});
