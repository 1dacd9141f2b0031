import { readFile } from "node:fs/promises";
import { defineTool } from "@dispatch/tools-interface";
import type { Locator, Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import type { Model } from "../src/agent/model.ts";
import { call, createScriptedModel, turn, type Script } from "../src/scripted/scripted-model.ts";
import { withBrowser } from "./browser.ts";
import { openInspectedAgent, type InspectedAgent } from "./inspected-agent.ts";

const { open } = withBrowser();
const { signal } = new AbortController();
let inspected: InspectedAgent | undefined;
afterEach(() => inspected?.close());

/** A scripted model that counts tokens, as a provider would. */
function counted(steps: Script): Model {
  const model = createScriptedModel(steps);
  let input = 1_000;
  return {
    ...model,
    async respond(request) {
      const usage = { input: (input += 500), cached: 1_000, output: 42 };
      return { ...(await model.respond(request)), usage };
    },
  };
}

const files = { "a.txt": "one\ntwo\n" };
function* script(): ReturnType<Script> {
  const code = `await Promise.all([read_file({ path: "a.txt" }), read_file({ path: "a.txt" })]); return 1;`;
  yield turn("I look.", call("read_file", { path: "a.txt" }), call("read_file", { path: "../b" }));
  yield turn("I run.", call("execute_code", { code }));
  return "It is **done**.";
}

/** Runs the script to its end, and opens its page. */
async function openRun(): Promise<{ page: Page; complaints: readonly string[] }> {
  inspected = await openInspectedAgent(counted(script), files);
  await inspected.agent.run("Look at it", signal);
  const opened = await open(inspected.url);
  await opened.page.getByText("It is done.").waitFor();
  expect(opened.complaints).toEqual([]);
  return opened;
}
const rows = (page: Page) => page.locator("#entries > li:visible");

describe("the record on the page of --inspect", () => {
  test("shows tokens and time of each turn, and what was sent to the model", async () => {
    const { page, complaints } = await openRun();
    const turns = page.locator("#entries > .turn");
    expect(await turns.count()).toBe(3);
    expect(await turns.nth(1).innerText()).toMatch(/Turn 2\s+2,000 tokens in, 1,000 of them cached, 42 out\s+\d+ ms/);
    expect(await page.locator("#about").innerText()).toContain("6,000 in, 3,000 of them cached, 126 out");
    await turns.nth(1).locator("summary").first().click();
    const body = turns.nth(1).locator(".body");
    await body.getByText("1 earlier message").click();
    expect(await body.getByRole("group", { name: "User" }).innerText()).toBe("Look at it");
    expect(await body.getByRole("group", { name: "Results" }).innerText()).toContain("leads out of the worktree");
    await body.locator("summary", { hasText: /^\d+ tools$/ }).click();
    await body.locator("summary", { hasText: /^read_file$/ }).click();
    expect(await body.getByRole("group", { name: "read_file" }).innerText()).toContain('"parameters"');
    await body.locator("summary", { hasText: "Instructions" }).click();
    expect((await body.getByRole("group", { name: "Instructions" }).innerText()).length).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
  });

  test("shows calls of a turn on one scale, calls at the same time above each other", async () => {
    let here = 0;
    const met = Promise.withResolvers<void>();
    const meet = defineTool({
      name: "meet",
      description: "Takes until it was called twice.",
      parameters: { type: "object", properties: {} },
      annotations: { readOnly: true },
      async execute() {
        if ((here += 1) === 2) setTimeout(met.resolve, 20);
        await met.promise;
        return "met";
      },
    });
    const code = `await read_file({ path: "a.txt" }); await new Promise((resolve) => setTimeout(resolve, 20)); return 1;`;
    inspected = await openInspectedAgent(function* () {
      yield turn("I meet.", call("meet", {}), call("meet", {}));
      yield turn("I run.", call("execute_code", { code }));
      return "It is **done**.";
    }, files);
    inspected.agent.toolbox.registry.register(meet);
    await inspected.agent.run("Meet", signal);
    const { page } = await open(inspected.url);
    await page.getByText("It is done.").waitFor();
    const extent = async (within: Locator): Promise<{ from: number; to: number }> => {
      const box = await within.first().boundingBox();
      return { from: box?.x ?? 0, to: (box?.x ?? 0) + (box?.width ?? 0) };
    };
    const bar = (row: string, at: number) => extent(page.locator(row).nth(at).locator(".bar"));
    const [model, first, second] = [
      await bar(".turn", 0),
      await bar("#entries > .call", 0),
      await bar("#entries > .call", 1),
    ];
    // The browser rounds to parts of a pixel.
    expect(first.from).toBeGreaterThan(model.from - 0.5);
    expect(Math.max(first.from, second.from)).toBeLessThan(Math.min(first.to, second.to));
    const program = page.locator("#entries > .call", { hasText: "execute_code" });
    if (!(await program.locator(".nested").first().isVisible())) await program.locator("summary").first().click();
    // On the scale of the program, with the least width that a bar has.
    const scale = await extent(page.locator(".nested .call").first().locator(".track"));
    const inner = await bar(".nested .call", 0);
    expect(inner.from).toBeGreaterThan(scale.from - 0.5);
    expect(inner.to).toBeLessThan(scale.to + 4.5);
  });

  test("finds by words and by kind, with calls in calls, and says when nothing is found", async () => {
    const { page } = await openRun();
    const all = await rows(page).count();
    await page.keyboard.press("/");
    await page.keyboard.type("WORKTREE");
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await page.locator("#found").innerText()).toBe(`1 of ${all}`);
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    await page.keyboard.press("Enter");
    expect(await focused()).toContain("leads out of the worktree");
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await expect.poll(() => rows(page).count()).toBe(all);
    // Once more leaves the field: then keys move again.
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    expect(await focused()).toContain("Turn 1");
    await page.getByLabel("Show").selectOption({ label: "Failed calls" });
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByLabel("Show").selectOption({ label: "Calls" });
    // The answer of a call in the program.
    await page.getByLabel("Search").fill("given to a program");
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await rows(page).first().textContent()).toContain("execute_code");
    await page.getByLabel("Search").fill("nowhere");
    await page.getByText("Nothing is found").waitFor();
  });

  test("links to a call in a call, also after loading the page again", async () => {
    const { page } = await openRun();
    const program = page.locator("#entries > .call", { hasText: "execute_code" });
    if (!(await program.locator(".nested").first().isVisible())) await program.locator("summary").first().click();
    await program.locator(".nested summary").first().click();
    await program.locator(".nested").first().getByRole("link", { name: "Link to this call" }).click();
    const { hash } = new URL(page.url());
    expect(hash).toMatch(/^#\/transcript\/e\d+$/);
    await page.keyboard.press("2");
    await page.locator("#tool form").waitFor();
    await page.goBack();
    const focused = page.locator(".nested summary:focus");
    await focused.waitFor();
    await page.reload();
    await focused.waitFor();
    expect(await page.locator(".nested details[open]").count()).toBe(1);
  });

  test("tries a call again with changed arguments", async () => {
    const { page } = await openRun();
    const failed = page.locator("#entries > .call[data-state=failed]");
    await failed.locator("summary").first().click();
    await failed.getByRole("button", { name: "Try again" }).click();
    const path = page.getByLabel("path required");
    expect(await path.inputValue()).toBe("../b");
    await path.fill("a.txt");
    await page.getByRole("button", { name: "Run read_file" }).click();
    await expect.poll(() => page.getByRole("list", { name: "Results" }).innerText()).toContain("one");
  });

  test("exports the session, and opens that file, a saved session, and no other file", async () => {
    const { page, complaints } = await openRun();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    const exported = await readFile(await download.path(), "utf8");
    expect(download.suggestedFilename()).toMatch(/^session-.*\.json$/);
    expect(JSON.parse(exported)).toMatchObject({ model: "scripted", usage: { input: 6_000 } });
    const live = await page.locator("#entries > li").count();

    const choose = async (name: string, content: string): Promise<void> => {
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        page.getByRole("button", { name: "Open a file" }).click(),
      ]);
      await chooser.setFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
    };
    await choose("<b>run</b>.json", exported);
    await page.getByText("The file <b>run</b>.json, a session of scripted.").waitFor();
    await expect.poll(() => page.locator("#entries > li").count()).toBe(live);
    expect(await page.locator("#entries > .turn").nth(1).innerText()).toContain("2,000 tokens in");
    await page.locator("#entries > .call", { hasText: "execute_code" }).getByText("2 calls").waitFor();

    const saved = [
      { version: 1, model: "other", workspace: "/x", startedAt: "2026-01-01T00:00:00Z" },
      { message: { role: "user", text: "From the file" } },
    ];
    await choose("a.jsonl", `${saved.map((line) => JSON.stringify(line)).join("\n")}\n{"mess`);
    await page.getByText("From the file").waitFor();
    expect(await page.locator("#entries > li").count()).toBe(1);

    await choose("b.json", '{"name":"package"}');
    await page.getByText("Cannot open the file").waitFor();
    await page.getByRole("button", { name: "Back to the run" }).click();
    await expect.poll(() => page.locator("#entries > li").count()).toBe(live);
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });

  test("says that nothing has happened yet", async () => {
    inspected = await openInspectedAgent(() => ({}) as never);
    const { page } = await open(inspected.url);
    await page.getByText("Nothing has happened yet").waitFor();
    await page.keyboard.press("3");
    await page.getByText("Nothing is remembered yet").waitFor();
    await page.goto(`${inspected.base}/#/tools/nothing`);
    await page.getByText("There is no tool with the name nothing").waitFor();
    await page.goto(`${inspected.base}/#/transcript/e99`);
    await expect.poll(() => page.getByText("Nothing has happened yet").isVisible()).toBe(true);
  });
});
