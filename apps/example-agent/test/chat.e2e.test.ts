import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { anthropicEvents } from "./fake-provider/anthropic-events.ts";
import { stream, type Reply } from "./fake-provider/fake-provider.ts";
import { CTRL_C, CTRL_D, ENTER, hasTerminals, startInTerminal, UNTIL_TYPED, type TerminalRun } from "./in-terminal.ts";
import { runAgent } from "./run-agent.ts";
import { chatAtTerminal, useTerminalChat } from "./terminal-chat.ts";

const here = useTerminalChat();
const file = (name: string): string => path.join(here.worktree, name);

/** A chat with a model of a fake provider. */
function chatWith(...replies: readonly Reply[]): Promise<TerminalRun> {
  return chatAtTerminal(here, replies, [], { XDG_STATE_HOME: path.join(here.home, "state") });
}
const workflow = { path: ".github/workflows/x.yml", content: "on: push\n" };

describe("a chat at a terminal", () => {
  test("shows diffs in colour, asks, remembers, takes back, and leaves at the second Ctrl-C", async ({ skip }) => {
    if (!hasTerminals) skip("the script of util-linux is not here");
    await writeFile(file("a.txt"), "one\nlast\n");
    const run = startInTerminal(["--chat", "--workspace", here.worktree], { TMPDIR: here.home });
    here.run = run;
    await run.seen(/› $/);
    run.type(`/help${ENTER}`);
    await run.seen(/\/undo .*\n/);
    await run.seen(/› $/);
    run.type(`Rename "one" to "uno"${ENTER}`);
    await run.seen(/✓ edit_file .*\n +@@.*\n +-one\n +\+uno\n/);
    expect(run.raw).toContain("\u001B[31m-one\u001B[39m");
    expect(run.raw).toContain("\u001B[32m+uno\u001B[39m");
    await run.seen(
      /Let the agent write conventions to its core memory\?\n +\+Say uno, never one\.\n +written after reading what tools answered\n[^]*\[n\] $/,
    );
    run.type(`y${ENTER}`);
    await run.seen(/✓ core memory conventions approved by you/);
    await run.seen(/Core memory: put before a person\.[^]*› $/);
    run.type(`/memory${ENTER}`);
    await run.seen(/core +conventions[^]*› $/);
    run.type(`/undo a.txt${ENTER}`);
    await run.seen(/Restored a\.txt[^]*› $/);
    expect(await readFile(file("a.txt"), "utf8")).toBe("one\nlast\n");
    run.type(`/dance${ENTER}`);
    await run.seen(/There is no \/dance; \/help lists what there is[^]*› $/);
    run.type(CTRL_C);
    await run.seen(/Ctrl-C once more to leave[^]*› $/);
    run.type(CTRL_C);
    expect(await run.ended).toBe(0);
  });

  test("stops an answer at Ctrl-C, goes on, and leaves at Ctrl-D", async () => {
    const endless = stream(anthropicEvents({ text: "I count: 1, 2, 3" }).slice(0, -3), "hang");
    const chat = await chatWith(endless, stream(anthropicEvents({ text: "As you like." })));
    chat.type(`Count${ENTER}`);
    await chat.seen(/I count: 1, 2, 3/);
    chat.type(CTRL_C);
    await chat.seen(/stopped: stopped by Ctrl-C[^]*› $/);
    chat.type(`Then${ENTER}not${ENTER}`);
    await chat.seen(/› Then\n {2}not/);
    chat.type(ENTER);
    await chat.seen(/As you like\.\n[^]*42 tokens in[^]*› $/);
    expect(here.provider?.asked[1]?.body.messages).toMatchObject([{ content: "Count" }, { content: "Then\nnot" }]);
    chat.type(CTRL_D);
    expect(await chat.ended).toBe(0);
  });

  test("leaves at a Ctrl-D that was typed too early, once it has answered", async () => {
    const chat = await chatWith(stream(anthropicEvents({ text: "One more thing." })));
    chat.type(`Hi${ENTER}`);
    chat.type(CTRL_D);
    expect(await chat.ended).toBe(0);
    expect(chat.raw).toContain("One more thing.");
  });

  test("asks for what a program calls, takes nothing for a yes that was typed before, and shows what runs", async () => {
    const code = `${UNTIL_TYPED}return await create_file(${JSON.stringify(workflow)}).catch(String);`;
    const calls = [{ id: "toolu_1", name: "execute_code", input: { code } }];
    const replies = [
      stream(anthropicEvents({ text: "I try.", calls })),
      stream(anthropicEvents({ text: "Well." })),
      stream(anthropicEvents({ text: "You said y." })),
    ];
    const chat = await chatWith(...replies);
    chat.type(`Do it${ENTER}`);
    await chat.seen(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] execute_code/);
    chat.type(`y${ENTER}`);
    await chat.seen(/queued: y\n› $/);
    await writeFile(file("typed"), "");
    await chat.seen(/Let the agent call create_file, from execute_code\?[^]*path: \.github[^]*on: push[^]*\[n\] $/);
    chat.type(`not on my watch${ENTER}`);
    await chat.seen(/✗ create_file[^]*not on my watch[^]*Well\.[^]*› y\n[^]*You said y\.[^]*› $/);
    expect(existsSync(file(workflow.path))).toBe(false);
    expect(JSON.stringify(here.provider?.asked[1]?.body.messages[2])).toContain("not on my watch");
    chat.type(`/exit${ENTER}`);
    expect(await chat.ended).toBe(0);
  });

  test("remembers an answer for a path, lists it and takes it back", async () => {
    const write = (id: string) =>
      stream(anthropicEvents({ calls: [{ id, name: "write_file", input: { ...workflow, content: `on: ${id}\n` } }] }));
    const text = (said: string) => stream(anthropicEvents({ text: said }));
    const chat = await chatWith(write("a"), text("First."), write("b"), text("Second."), write("c"), text("Third."));
    await mkdir(path.join(here.worktree, ".github/workflows"), { recursive: true });
    chat.type(`Write${ENTER}`);
    await chat.seen(/Let the agent call write_file\?[^]*p: always this path, t: always write_file[^]*\[n\] $/);
    chat.type(`p${ENTER}`);
    await chat.seen(/First\.[^]*› $/);
    chat.type(`Again${ENTER}`);
    await chat.seen(/✓ write_file[^]*Second\.[^]*› $/);
    expect(await readFile(file(workflow.path), "utf8")).toBe("on: b\n");
    chat.type(`/rules${ENTER}`);
    await chat.seen(/1 {2}always write_file where path == "\.github\/workflows\/x\.yml"[^]*› $/);
    chat.type(`/rules 1${ENTER}`);
    await chat.seen(/write_file is asked about again[^]*› $/);
    chat.type(`And again${ENTER}`);
    await chat.seen(/Let the agent call write_file\?[^]*\[n\] $/);
    chat.type(ENTER);
    await chat.seen(/✗ write_file[^]*Third\.[^]*› $/);
    expect(await readFile(file(workflow.path), "utf8")).toBe("on: b\n");
    chat.type(CTRL_D);
    expect(await chat.ended).toBe(0);
  });

  test("lets no text of a model move the cursor", async () => {
    const chat = await chatWith(stream(anthropicEvents({ text: "a\u001B[2Jb\u009B31mc\u202Ed\r!" })));
    chat.type(`Hi${ENTER}`);
    await chat.seen(/a�\[2Jb�31mc�d�!/);
    chat.type(CTRL_D);
    expect(await chat.ended).toBe(0);
  });
});

describe("a chat through a pipe", () => {
  test("takes a line at a time, answers to questions too, and writes no control character", async () => {
    await writeFile(file("a.txt"), "one\n");
    const input = 'Rename "one" to "uno"\nno, not that\n/approve\n/usage\n';
    const { code, stdout } = await runAgent(["--chat", "--workspace", here.worktree], { input });
    expect(code).toBe(0);
    expect(stdout).toContain("✓ core memory conventions rejected by you");
    expect(stdout).toMatch(/Nothing waits\n[^]*Nothing was counted\n/);
    expect(await readFile(file("a.txt"), "utf8")).toBe("uno\n");
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
