import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TranscriptEntry } from "@dispatch/tools-interface";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../src/agent/conversation.ts";
import { runAgent, startAgent, type Finished } from "./run-agent.ts";

interface Record {
  readonly model: string;
  readonly outcome: string;
  readonly conversation: readonly Message[];
  readonly transcript: readonly TranscriptEntry[];
}
const directories: string[] = [];
const directory = async (): Promise<string> => {
  const made = await mkdtemp(path.join(tmpdir(), "agent-test-"));
  directories.push(made);
  return made;
};
afterAll(() => Promise.all(directories.map((made) => rm(made, { recursive: true, force: true }))));

/** Every call a model asked for has a result, in the conversation and in the transcript. */
function expectValid({ conversation, transcript }: Record): void {
  for (const [index, message] of conversation.entries()) {
    if (message.role !== "assistant" || message.calls.length === 0) continue;
    const answer = conversation[index + 1];
    expect(answer?.role === "tool" && answer.results).toHaveLength(message.calls.length);
    for (const call of message.calls) expect(transcript.filter(({ callId }) => callId === call.id)).toHaveLength(1);
  }
}

test("--durable keeps the calls of the scripted model, which numbers them, and each runs", async () => {
  const workspace = await directory();
  await writeFile(path.join(workspace, "a.txt"), "one\n");
  const args = ["--json", "--durable", await directory(), "--workspace", workspace, "--task", 'Rename "one" to "uno"'];
  const { code, stdout } = await runAgent(args);
  expect(code).toBe(0);
  expect(await readFile(path.join(workspace, "a.txt"), "utf8")).toBe("uno\n");
  expect(stdout).not.toContain("was not started");
});

describe("npx pnpm start", () => {
  let finished: Finished;
  let record: Record;
  let [from, to] = ["", ""];
  beforeAll(async () => {
    finished = await startAgent(["--json"]);
    record = JSON.parse(finished.stdout) as Record;
    [, from = "", to = ""] = /^task +Rename "(\w+)" to "(\w+)"$/m.exec(finished.stderr) ?? [];
  });
  const results = (name: string) => record.transcript.filter((entry) => entry.name === name);

  test("does its task with real tools and exits 0", () => {
    expect(finished.code).toBe(0);
    expect(record.outcome).toBe("done");
    expect(record.conversation.at(-1)).toMatchObject({
      text: expect.stringMatching(new RegExp(`^Done: ${from} is ${to} in \\d+ files`)),
    });
    expectValid(record);
  });

  test("looks, reads, edits and creates", () => {
    for (const name of ["search_files", "read_file", "edit_file", "create_file"]) {
      expect(
        results(name).some(({ result }) => result.success),
        name,
      ).toBe(true);
    }
  });

  test("runs code that calls the file tools through the bridge", () => {
    const [run] = results("execute_code");
    expect(run?.result.success).toBe(true);
    const nested = record.transcript.filter(({ parentCallId }) => parentCallId === run?.callId);
    expect(nested.length).toBeGreaterThan(10);
    expect(new Set(nested.map(({ name }) => name))).toEqual(new Set(["list_files", "read_file"]));
  });

  test("writes and recalls memory, and core memory waits for a person", () => {
    expect(results("memory_write").map(({ result }) => result.success)).toEqual([true, true]);
    expect(JSON.stringify(results("memory_read").at(-1)?.result)).toContain(to);
    expect(record.conversation).toContainEqual({ role: "user", text: "Approved: core memory conventions" });
  });

  test("is refused outside of the worktree, and goes on", () => {
    const outside = results("read_file").find(({ arguments: sent }) => String(sent).includes("../package.json"));
    expect(outside?.result.success).toBe(false);
  });

  test("shows a person every call without colour, and names the model scripted", () => {
    expect(finished.stderr).toContain("scripted (no real model is asked)");
    expect(finished.stderr).toMatch(/✓ search_files +[\d.]+ m?s /);
    expect(finished.stderr).toMatch(/⊘ read_file/);
    expect(finished.stderr).toMatch(/core memory conventions approved by scripted person/);
    expect(finished.stderr).not.toContain("\u001B");
    expect(finished.stdout).not.toContain("\u001B");
  });
});

describe("npx pnpm start with options", () => {
  test("works in a directory in place, keeps line endings, and copes with an ambiguous line", async () => {
    const workspace = await directory();
    const source = 'call("oldName");\r\nif (a) oldName();\r\nx();\r\nif (a) oldName();\r\n';
    await writeFile(path.join(workspace, "a.js"), source);
    const args = ["--workspace", workspace, "--task", 'Rename "oldName" to "newName"', "--json"];
    const { code, stdout } = await runAgent(args);
    expect(code).toBe(0);
    expect(await readFile(path.join(workspace, "a.js"), "utf8")).toBe(source.replaceAll("oldName", "newName"));
    const record = JSON.parse(stdout) as Record;
    expect(record.transcript.filter(({ name, result }) => name === "edit_file" && !result.success)).toHaveLength(1);
    expectValid(record);
  });

  test("stops cleanly at Ctrl-C with a valid transcript", async () => {
    const { code, stdout, stderr } = await runAgent(["--json"], { interruptAt: /✓ search_files/ });
    expect(code).toBe(130);
    const record = JSON.parse(stdout) as Record;
    expect(record.outcome).toBe("stopped");
    expectValid(record);
    expect(stderr).toContain("stopped:");
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ] as const)("cleans up at %s, with a valid transcript", async (by, exitCode) => {
    const temporary = await directory();
    const env = { TMPDIR: temporary };
    const { code, stdout } = await runAgent(["--json"], { interruptAt: /✓ search_files/, by, env });
    expect(code).toBe(exitCode);
    const record = JSON.parse(stdout) as Record;
    expect(record).toMatchObject({ outcome: "stopped", reason: `stopped by ${by}` });
    expectValid(record);
    // The scratch copy is gone, too.
    expect(await readdir(temporary)).toEqual([]);
  });

  test("uses colour when it is asked for", async () => {
    const { code, stdout } = await runAgent(["--task", "Sing"], { env: { FORCE_COLOR: "1" } });
    expect(code).toBe(0);
    expect(stdout).toContain("\u001B[");
    expect(stdout).toContain("I am a scripted model and know one kind of task");
  });

  test("explains itself", async () => {
    const { code, stdout } = await runAgent(["--help"]);
    expect(code).toBe(0);
    for (const option of ["--task", "--workspace", "--json", "--ask", "--inspect", "Ctrl-C", "NO_COLOR"])
      expect(stdout).toContain(option);
  });

  test.each([
    [["--frobnicate"], /Unknown option '--frobnicate'/],
    [["--workspace", "/nonexistent/directory"], /there is no such directory/],
  ])("says what is wrong with %j", async (args, text) => {
    const { code, stderr } = await runAgent(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(text);
    expect(stderr).not.toContain("    at ");
  });
});
