import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { call, turn } from "../src/scripted/scripted-model.ts";
import { withBrowser } from "./browser.ts";
import { chooseTool } from "./choose-tool.ts";
import { openInspectedAgent, type InspectedAgent } from "./inspected-agent.ts";

const { open } = withBrowser();
const { signal } = new AbortController();
let inspected: InspectedAgent | undefined;
afterEach(async () => {
  await inspected?.close();
  inspected = undefined;
});
const workflow = { path: ".github/workflows/x.yml", content: "on: push\njobs: {}\n" };

describe("the page of --inspect", () => {
  test("shows what is said and called, nested calls, and asks; the model reads why not", async () => {
    const code = `for (let at = 0; at < 1_500; at += 1) await read_file({ path: "a.txt" });
      return await create_file(${JSON.stringify(workflow)}).catch(String);`;
    inspected = await openInspectedAgent(
      function* () {
        yield turn("I change it.", call("edit_file", { path: "a.txt", edits: [{ old_text: "one", new_text: "uno" }] }));
        const [ran] = yield turn("I run it.", call("execute_code", { code }));
        return `It said: ${String(ran)}`;
      },
      { "a.txt": "one\ntwo\n" },
    );
    const { page, complaints } = await open(inspected.url);
    const run = inspected.agent.run("Do it", signal);
    const question = page.getByRole("group", { name: "Let the agent call create_file, from execute_code?" });
    await question.getByText("on: push").waitFor();
    await page.locator(".nested .call[data-state=waiting]", { hasText: "create_file" }).waitFor();
    await question.getByLabel("Why not").fill("not on my watch");
    await question.getByRole("button", { name: "Refuse" }).click();
    expect(await run).toEqual({ outcome: "done" });
    await page.getByText("It said: ").waitFor();
    expect(await page.locator(".said.agent").last().textContent()).toContain("not on my watch");
    expect(existsSync(path.join(inspected.workspace, workflow.path))).toBe(false);

    const diff = page.getByRole("group", { name: "What it changed" });
    expect(await diff.textContent()).toMatch(/-one\s*\+uno/);
    const program = page.locator("#entries > .call", { hasText: "execute_code" });
    await expect.poll(() => program.locator(":scope > details > summary").textContent()).toContain("1,501 calls");
    expect(await program.locator(".nested .call").count()).toBeLessThan(10);
    await program.getByRole("button", { name: "Show 200 more calls" }).click();
    expect(await program.locator(".nested .call").count()).toBeGreaterThan(200);
    expect(await page.locator("*").count()).toBeLessThan(5_000);
    expect(complaints).toEqual([]);
  });

  test("shows the beginning of what is long, and all of it on demand", async () => {
    const long = Array.from({ length: 400 }, (_, line) => `line ${line} ${"-".repeat(40)}`).join("\n");
    inspected = await openInspectedAgent(
      function* () {
        yield turn("", call("read_file", { path: "long.txt" }));
        return "Read.";
      },
      { "long.txt": long },
    );
    const { page } = await open(inspected.url);
    await inspected.agent.run("Read it", signal);
    await page.locator("summary", { hasText: "read_file" }).click();
    const answered = page.getByRole("group", { name: "What was answered" });
    expect(await answered.textContent()).not.toContain("line 399");
    await page.getByRole("button", { name: /Show all .* characters/ }).click();
    await answered.getByText("line 399").waitFor();
  });

  test("tries a tool by a form made from its schema, with approval, and tells the model nothing", async () => {
    inspected = await openInspectedAgent(() => ({}) as never, { "a.txt": "one\ntwo\none more\n" });
    const { page, complaints } = await open(inspected.url);
    await page.getByRole("link", { name: "Tools" }).click();
    const choose = (name: string) => chooseTool(page, name);
    const result = page.getByRole("list", { name: "Results" });

    await choose("search_files");
    await page.getByLabel("query required").fill("ONE");
    await page.getByText("optional fields").click();
    await page.getByLabel("ignore_case").selectOption("true");
    await page.getByLabel("mode").selectOption("count");
    await page.getByLabel("limit").fill("5");
    await page.getByRole("button", { name: "Run search_files" }).click();
    await result
      .getByText(/a\.txt: 2/)
      .first()
      .waitFor();
    await page.getByLabel("limit").fill("0");
    await page.getByRole("button", { name: "Run search_files" }).click();
    await page.locator("input:invalid").waitFor();
    expect(await result.locator(":scope > li").count()).toBe(1);

    await choose("edit_file");
    await page.getByLabel("path required").fill("a.txt");
    await page.getByLabel("old_text required").fill("two\none");
    await page.getByLabel("new_text required").fill("2\n1");
    await page.getByRole("button", { name: "Add to edits" }).click();
    await page.getByLabel("old_text required").last().fill("more");
    await page.getByLabel("new_text required").last().fill("less");
    await page.getByRole("button", { name: "Run edit_file" }).click();
    await result.getByText(/\+1 less/).waitFor();
    expect(await readFile(path.join(inspected.workspace, "a.txt"), "utf8")).toBe("one\n2\n1 less\n");

    await choose("create_file");
    await page.getByRole("button", { name: "Write JSON" }).click();
    const raw = page.getByLabel("All arguments as JSON");
    await raw.fill("{ nothing");
    await page.getByRole("button", { name: "Run create_file" }).click();
    await page.locator("textarea:invalid:visible").waitFor();
    await raw.fill(JSON.stringify(workflow));
    await page.getByRole("button", { name: "Run create_file" }).click();
    const question = page.getByRole("group", { name: "Let the agent call create_file?" });
    await question.getByRole("button", { name: "Approve" }).click();
    await result
      .getByText(/Created/)
      .first()
      .waitFor();
    expect(await readFile(path.join(inspected.workspace, workflow.path), "utf8")).toBe(workflow.content);

    expect(inspected.agent.session.messages).toEqual([]);
    expect(inspected.agent.session.transcript.entries).toEqual([]);
    await page.getByRole("link", { name: "Transcript" }).click();
    expect(await page.locator("#entries > .call", { hasText: "by you" }).count()).toBe(3);
    expect(complaints).toEqual([]);
  });

  test("shows memory with its history, decides what waits, takes back, and tells the model later", async () => {
    inspected = await openInspectedAgent(function* () {
      const write = (label: string, content: string, tier: string) => call("memory_write", { label, content, tier });
      yield turn("", write("notes", "tea", "working"), write("rules", "Be kind", "core"));
      yield turn("", call("memory_write", { label: "notes", content: "green tea" }));
      return "Remembered.";
    });
    const { page, complaints } = await open(inspected.url);
    const run = inspected.agent.run("Remember", signal);
    await page.getByRole("button", { name: "Later" }).click();
    await run;
    await page.getByRole("link", { name: /Memory 1/ }).click();
    await page.getByRole("link", { name: /^notes/ }).click();
    const history = page.locator("#block .history > li");
    await expect.poll(() => history.count()).toBe(2);
    expect(await history.first().innerText()).toMatch(/edited by example-agent[^]*-tea\s+\+green tea/);
    await page.getByRole("button", { name: "Undo change 2" }).click();
    await expect.poll(() => history.count()).toBe(3);
    expect((await inspected.agent.toolbox.admin.get("notes"))?.content).toBe("tea");

    const proposal = page
      .locator("#pending")
      .getByRole("group", { name: "Let the agent write rules to its core memory?" });
    expect(await proposal.innerText()).toContain("+Be kind");
    await proposal.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("link", { name: /^rules/ }).waitFor();
    expect((await inspected.agent.toolbox.admin.get("rules"))?.content).toBe("Be kind");
    await inspected.agent.run("Go on", signal).catch(() => {});
    expect(inspected.agent.session.messages).toContainEqual({ role: "user", text: "Approved: core memory rules" });
    expect(complaints).toEqual([]);
  });

  test("answers the agent's own questions", async () => {
    const choices = [{ label: "Red", description: "as roses" }, { label: "Blue" }];
    inspected = await openInspectedAgent(function* () {
      const [said] = yield turn("", call("ask_user_question", { question: "Which one?", options: choices }));
      return `So it is: ${String(said)}`;
    });
    const { page } = await open(inspected.url);
    const { approver } = inspected.inspection;
    const run = inspected.agent.run("Paint it", signal);
    const first = page.getByRole("group", { name: "The agent asks Which one?" });
    await first.getByRole("button", { name: "Answer" }).click();
    await first.getByText("Choose an answer or write one").waitFor();
    await first.getByLabel("Red as roses").check();
    await first.getByRole("button", { name: "Answer" }).click();
    await run;
    expect(await page.getByText("So it is:").textContent()).toContain("Red");

    const many = approver.answer?.({ text: "Which ones?", choices, several: true, signal });
    const second = page.getByRole("group", { name: "Which ones?" });
    await second.getByLabel("Blue").check();
    await second.getByLabel("Something else").fill("Green");
    await second.getByRole("button", { name: "Answer" }).click();
    expect(await many).toEqual(["Blue", "Green"]);

    const none = approver.answer?.({ text: "And why?", choices: [], several: false, signal });
    await page.getByRole("group", { name: "And why?" }).getByRole("button", { name: "Rather not" }).click();
    expect(await none).toEqual([]);
  });

  test("shows nothing to who has no token, and says what to do", async () => {
    inspected = await openInspectedAgent(() => ({}) as never);
    inspected.agent.view.notice("a secret");
    const { page } = await open(`${inspected.base}/#token=${inspected.token.slice(1)}`);
    await page.getByText("open the address that the terminal shows").waitFor();
    expect(await page.locator("#entries > *").count()).toBe(0);
    await page.goto("about:blank");
    await page.goto(inspected.url);
    await page.getByText("a secret").waitFor();
    expect(page.url()).toBe(`${inspected.base}/`);
    await page.reload();
    await page.getByText("a secret").waitFor();
  });

  test("cannot be answered by what was clicked before the question was there", async () => {
    inspected = await openInspectedAgent(() => ({}) as never);
    const { page } = await open(inspected.url, { own: true });
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    let decided = false;
    void inspected.inspection.approver.decide({ text: "May it?", detail: [], signal }).then(() => (decided = true));
    const approve = page.getByRole("button", { name: "Approve" });
    await approve.waitFor();
    expect(await approve.isDisabled()).toBe(true);
    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    expect(decided).toBe(false);
    await page.clock.fastForward(1_000);
    await approve.click();
    await expect.poll(() => decided).toBe(true);
  });
});
