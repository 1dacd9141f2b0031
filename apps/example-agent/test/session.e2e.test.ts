import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { anthropicEvents } from "./fake-provider/anthropic-events.ts";
import { chatEvents } from "./fake-provider/chat-events.ts";
import { startFakeProvider, stream, type FakeProvider } from "./fake-provider/fake-provider.ts";
import { runAgent, startAgent } from "./run-agent.ts";

const WAIT = "await list_files({}); await new Promise((resolve) => setTimeout(resolve, 600_000));";
const twoCalls = anthropicEvents({
  text: "First a file, then I wait.",
  calls: [
    { id: "toolu_1", name: "create_file", input: { path: "made.txt", content: "made\n" } },
    { id: "toolu_2", name: "execute_code", input: { code: WAIT } },
  ],
});

let home: string;
let worktree: string;
let provider: FakeProvider | undefined;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "agent-session-"));
  worktree = path.join(home, "work");
  await mkdir(worktree);
});
afterEach(async () => {
  await provider?.close();
  await rm(home, { recursive: true, force: true });
});
const environment = (): NodeJS.ProcessEnv => ({
  ANTHROPIC_BASE_URL: provider?.url,
  ANTHROPIC_API_KEY: "test",
  XDG_STATE_HOME: path.join(home, "state"),
  // Who is killed does not tidy up.
  TMPDIR: home,
});

describe("a session", () => {
  test("goes on after kill -9 in the middle of a call, with a result for every call and none run twice", async () => {
    provider = await startFakeProvider(stream(twoCalls), stream(anthropicEvents({ text: "So it goes." })));
    const begun = await startAgent(["--workspace", worktree, "--task", "Make it"], {
      env: environment(),
      // Of the program: by then the call before it is recorded.
      interruptAt: /↳ ✓ list_files/,
      by: "SIGKILL",
    });
    expect(begun.code).toBe(null);

    const { code, stdout, stderr } = await runAgent(["--resume", "latest", "--json"], { env: environment() });
    expect(stderr).toContain("So it goes.");
    expect(code).toBe(0);
    const [user, asked, results] = provider.asked[1]?.body.messages ?? [];
    expect([user.content, asked.content.at(-1).id]).toEqual(["Make it", "toolu_2"]);
    expect(results.content).toMatchObject([
      { tool_use_id: "toolu_1", content: expect.stringMatching(/^Created made\.txt/) },
      { tool_use_id: "toolu_2", is_error: true, content: expect.stringContaining("execute_code was interrupted") },
    ]);
    expect(provider.asked).toHaveLength(2);
    const record = JSON.parse(stdout) as { transcript: { name: string; parentCallId?: string }[]; usage: object };
    const own = record.transcript.filter(({ parentCallId }) => parentCallId === undefined);
    expect(own.map(({ name }) => name)).toEqual(["create_file", "execute_code"]);
    expect(record.usage).toEqual({ input: 84, cached: 60, output: 14 });
    expect(await readFile(path.join(worktree, "made.txt"), "utf8")).toBe("made\n");
  });

  test("goes on after kill -9 in the middle of an answer, of which nothing was run", async () => {
    const half = twoCalls.slice(0, -3);
    provider = await startFakeProvider(stream(half, "hang"), stream(anthropicEvents({ text: "Done without." })));
    const args = ["--workspace", worktree, "--task", "Make it"];
    await startAgent(args, { env: environment(), interruptAt: /then I wait/, by: "SIGKILL" });
    const { code } = await runAgent(["--resume", "latest"], { env: environment() });
    expect(code).toBe(0);
    expect(provider.asked[1]?.body.messages).toEqual(provider.asked[0]?.body.messages);
    expect(await readdir(worktree)).toEqual([]);
  });

  test("is taken up with another task once it is done, and by the scripted model too", async () => {
    const sessions = path.join(home, "sessions");
    await writeFile(path.join(worktree, "a.txt"), "one\ntwo\n");
    const first = await runAgent(["--workspace", worktree, "--sessions", sessions, "--task", 'Rename "one" to "uno"']);
    expect(first.code).toBe(0);
    const resume = ["--sessions", sessions, "--resume", "latest"];
    const idle = await runAgent(resume);
    expect([idle.code, idle.stderr]).toEqual([2, expect.stringMatching(/it is done; say what to do next with --task/)]);
    const second = await runAgent([...resume, "--task", 'Rename "two" to "due"', "--json"]);
    expect(second.code).toBe(0);
    expect(await readFile(path.join(worktree, "a.txt"), "utf8")).toBe("uno\ndue\n");
    const { conversation } = JSON.parse(second.stdout) as { conversation: { role: string; text?: string }[] };
    expect(conversation.filter(({ text }) => text?.startsWith("Rename"))).toHaveLength(2);
  });

  test("is listed, shows what was said when it is resumed, and remembers what others wrote", async () => {
    const remember = { label: "notes/tea", content: "Tea is served at four", tier: "working" };
    const calls = [{ id: "toolu_1", name: "memory_write", input: remember }];
    const ask = [{ id: "toolu_2", name: "memory_read", input: { query: "tea" } }];
    provider = await startFakeProvider(
      stream(anthropicEvents({ text: "I note it.", calls })),
      stream(anthropicEvents({ text: "Noted." })),
      stream(anthropicEvents({ text: "I look.", calls: ask })),
      stream(anthropicEvents({ text: "At four." })),
      stream(anthropicEvents({ text: "As I said." })),
    );
    const env = environment();
    await runAgent(["--workspace", worktree, "--task", "Tea is at four"], { env });
    const second = await runAgent(["--workspace", worktree, "--task", "When is tea?", "--json"], { env });
    expect(JSON.stringify(JSON.parse(second.stdout))).toContain("Tea is served at four");
    const { stdout, code } = await runAgent(["sessions"], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/anthropic:\S+ {2}\S*work\n {2}When is tea\?\n.*\n {2}Tea is at four\ngo on with --resume/);
    const id = /^(\S+).*\n {2}Tea is at four/m.exec(stdout)?.[1] ?? "";
    const resumed = await runAgent(["--resume", id, "--task", "Say it again"], { env });
    expect(resumed.stdout).toMatch(/› Tea is at four\n\nI note it\.\n✓ memory_write [^]*\nNoted\.\n[^]*As I said\./);
  });

  test.each(["--sessions", "--memory"])("keeps nothing of %s where the agent works", async (option) => {
    const { code, stderr } = await runAgent(["--workspace", worktree, option, path.join(worktree, "kept")]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/the agent works there, choose a directory outside/);
    expect(await readdir(worktree)).toEqual([]);
  });
});

describe("a run with a real model and nobody at the terminal", () => {
  test("approves nothing, keeps within its tokens, and says how to go on", async () => {
    const write = { path: ".github/workflows/x.yml", content: "on: push\n" };
    const remember = { label: "persona", content: "I am kind", tier: "core" };
    const calls = [
      { id: "toolu_1", name: "create_file", input: write },
      { id: "toolu_2", name: "memory_write", input: remember },
    ];
    provider = await startFakeProvider(stream(anthropicEvents({ text: "I set it up.", calls })));
    const args = ["--workspace", worktree, "--task", "Set it up", "--max-tokens", "40"];
    const { code, stdout } = await runAgent(args, { env: environment() });
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ create_file .*nobody is there to ask/);
    expect(stdout).toContain("core memory persona left for later by nobody");
    expect(stdout).toMatch(
      /gave up: the 40 tokens allowed are used\n.*\n42 tokens in \(30 cached\), 7 out\ngo on with --resume 2/,
    );
    expect(await readdir(worktree)).toEqual([]);
  });

  test("is whatever speaks Chat Completions, and reads at the same time what it may", async () => {
    await writeFile(path.join(worktree, "a.txt"), "alpha\n");
    const calls = [
      { id: "call_1", name: "read_file", input: { path: "a.txt" } },
      { id: "call_2", name: "list_files", input: {} },
    ];
    provider = await startFakeProvider(stream(chatEvents({ calls })), stream(chatEvents({ text: "It says alpha." })));
    const args = ["--model", "openai:qwen3:8b", "--workspace", worktree, "--task", "What does it say?"];
    const env = { OPENAI_BASE_URL: `${provider.url}/v1`, XDG_STATE_HOME: path.join(home, "state") };
    const { code, stdout } = await runAgent(args, { env });
    expect(code).toBe(0);
    expect(stdout).toContain("It says alpha.");
    expect(provider.asked[0]).toMatchObject({
      path: "/v1/chat/completions",
      body: { model: "qwen3:8b", stream: true },
    });
    const [, , asked, read, listed] = provider.asked[1]?.body.messages ?? [];
    expect(asked.tool_calls).toHaveLength(2);
    expect([read, listed]).toMatchObject([
      { role: "tool", tool_call_id: "call_1", content: expect.stringContaining("alpha") },
      { role: "tool", tool_call_id: "call_2", content: "a.txt" },
    ]);
  });

  test("ends after its minutes, with what was running cancelled", async () => {
    provider = await startFakeProvider(stream(twoCalls));
    const args = ["--workspace", worktree, "--task", "Wait", "--max-minutes", "0.02", "--json"];
    const { code, stdout } = await runAgent(args, { env: environment() });
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "stopped", reason: "the 0.02 minutes allowed are over" });
  });

  test("says why it cannot ask", async () => {
    const { code, stderr } = await runAgent(["--model", "anthropic:x"]);
    expect([code, stderr]).toEqual([2, "Cannot use the model anthropic:x: ANTHROPIC_API_KEY is not set\n"]);
  });
});
