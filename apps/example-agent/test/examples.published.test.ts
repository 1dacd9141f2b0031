import { globSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Answer } from "./fake-provider/answer.ts";
import { startFakeProvider, type FakeProvider } from "./fake-provider/fake-provider.ts";
import { anthropicMessage, chatCompletion, responsesResponse, whole } from "./fake-provider/whole-answers.ts";
import { runNode, type Finished } from "./run-agent.ts";
import { examples, importExample, startExample } from "./run-example.ts";

const memoryTest = path.join(import.meta.dirname, "example-memory.e2e.test.ts");

let directory: string;
let provider: FakeProvider | undefined;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "agent-examples-"));
});
afterEach(async () => {
  await provider?.close();
  await rm(directory, { recursive: true, force: true });
});

const cut: Answer = {
  text: "I write both.",
  cutOff: true,
  calls: [
    { id: "call_0", name: "create_file", input: { path: "cut.txt", content: "never" } },
    { id: "call_1", name: "create_file", input: { path: "half.txt", content: "this text is cut off somewhere" } },
  ],
};
const write: Answer = {
  calls: [{ id: "call_2", name: "create_file", input: { path: "notes.txt", content: "tea\n" } }],
};
const filtered: Answer = { ...cut, stopReason: "content_filter" };
const end: Answer = { text: "It is written." };

/** Runs an example in a directory of its own, against a provider that gives these answers. */
async function runExample(
  name: string,
  format: (answer: Answer) => object,
  answers: readonly Answer[],
  run: typeof startExample = startExample,
): Promise<Finished> {
  provider = await startFakeProvider(...answers.map((answer) => whole(format(answer))));
  const env = {
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: "test",
    OPENAI_BASE_URL: `${provider.url}/v1`,
    OPENAI_API_KEY: "test",
  };
  return run(name, { cwd: directory, env });
}

test("every example is at most 60 lines long and is run here", () => {
  const tests = readFileSync(import.meta.filename, "utf8") + readFileSync(memoryTest, "utf8");
  const files = globSync("*.ts", { cwd: examples });
  expect(files).toHaveLength(8);
  for (const file of files) {
    expect(readFileSync(path.join(examples, file), "utf8").split("\n").length, file).toBeLessThanOrEqual(61);
    expect(tests).toContain(`"${file}"`);
  }
});

describe.each([
  ["anthropic.ts", anthropicMessage, "/v1/messages"],
  ["openai-responses.ts", responsesResponse, "/v1/responses"],
  ["ollama.ts", chatCompletion, "/v1/chat/completions"],
] as const)("%s", (name, format, address) => {
  test("executes the complete calls of a cut-off answer, then goes on, and stops when the model is done", async () => {
    const { code, stdout, stderr } = await runExample(name, format, [cut, write, end]);
    expect([code, stdout, stderr]).toEqual([0, "I write both.\nIt is written.\n", "Done: 3 calls\n"]);
    expect(await readdir(directory)).toEqual(["cut.txt", "notes.txt"]);
    expect(provider?.asked.map(({ path: asked }) => asked)).toEqual([address, address, address]);
    const [first, second, third] = provider?.asked.map(({ body }) => JSON.stringify(body)) ?? [];
    expect(first).toContain("Write down: tea");
    expect(second).toContain("may be incomplete and was not executed");
    expect(third).toContain("Created notes.txt");
  });

  test("gives up on a model that never comes to an end", async () => {
    const list: Answer = { calls: [{ id: "call_9", name: "list_files", input: {} }] };
    const { code, stderr } = await runExample(
      name,
      format,
      Array.from({ length: 20 }, () => list),
      importExample,
    );
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Stopped \(max_turns\)/)]);
    expect(provider?.asked).toHaveLength(20);
  });
});

describe.each([
  ["anthropic.ts", anthropicMessage, "model_context_window_exceeded"],
  ["anthropic.ts", anthropicMessage, "refusal"],
  ["anthropic.ts", anthropicMessage, "end_of_something_new"],
  ["openai-responses.ts", responsesResponse, "content_filter"],
  ["openai-responses.ts", responsesResponse, "end_of_something_new"],
  ["ollama.ts", chatCompletion, "content_filter"],
  ["ollama.ts", chatCompletion, "end_of_something_new"],
] as const)("%s", (name, format, stopReason) => {
  test(`executes no cut-off call of an answer that ended as ${stopReason}, and says why it stopped`, async () => {
    const { code, stderr } = await runExample(name, format, [{ ...cut, stopReason }, end], importExample);
    expect([code, stderr]).toEqual([0, `Stopped (${stopReason}): 2 calls\n`]);
    expect(await readdir(directory)).toEqual(["cut.txt"]);
    expect(provider?.asked).toHaveLength(1);
  });
});

describe.each([
  ["openai-responses.ts", responsesResponse],
  ["ollama.ts", chatCompletion],
] as const)("%s", (name, format) => {
  test("executes nothing that comes with a refusal, and says that the model refused", async () => {
    const { code, stdout, stderr } = await runExample(
      name,
      format,
      [{ ...write, refusal: "I may not." }, end],
      importExample,
    );
    expect([code, stdout, stderr]).toEqual([0, "I may not.\n", "Stopped (refusal): 1 calls\n"]);
    expect(await readdir(directory)).toEqual([]);
  });
});

describe("anthropic.ts", () => {
  test("says that the model refused when an answer has no calls", async () => {
    const { code, stderr } = await runExample(
      "anthropic.ts",
      anthropicMessage,
      [{ ...end, stopReason: "refusal" }],
      importExample,
    );
    expect([code, stderr]).toEqual([0, "Stopped (refusal): 0 calls\n"]);
  });

  test("goes on after a pause, with the paused answer as it came", async () => {
    const paused: Answer = { text: "I search.", stopReason: "pause_turn" };
    const { code, stdout, stderr } = await runExample(
      "anthropic.ts",
      anthropicMessage,
      [paused, write, end],
      importExample,
    );
    expect([code, stdout, stderr]).toEqual([0, "I search.\nIt is written.\n", "Done: 1 calls\n"]);
    const content = [{ type: "text", text: "I search." }];
    expect(provider?.asked[1]?.body.messages.slice(1)).toEqual([{ role: "assistant", content }]);
    expect(await readdir(directory)).toEqual(["notes.txt"]);
  });
});

describe("ollama.ts", () => {
  test("executes calls that come with the reason of a plain end, as some servers send them", async () => {
    const { code, stderr } = await runExample(
      "ollama.ts",
      chatCompletion,
      [{ ...write, stopReason: "stop" }, end],
      importExample,
    );
    expect([code, stderr]).toEqual([0, "Done: 1 calls\n"]);
    expect(await readdir(directory)).toEqual(["notes.txt"]);
  });
});

describe("ai-sdk.ts", () => {
  test("runs the call, and stops when the model is done", async () => {
    const { code, stdout, stderr } = await runExample("ai-sdk.ts", responsesResponse, [write, end]);
    expect([code, stdout, stderr]).toEqual([0, "It is written.\n", "Done: 1 calls\n"]);
    expect(await readFile(path.join(directory, "notes.txt"), "utf8")).toBe("tea\n");
    expect(JSON.stringify(provider?.asked[1]?.body)).toContain("Created notes.txt");
  });

  test("does not execute a cut-off call, and says that it stopped", async () => {
    const { code, stderr } = await runExample("ai-sdk.ts", responsesResponse, [cut]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Stopped (length)")]);
    expect(await readdir(directory)).toEqual([]);
  });

  test("executes nothing of an answer that a filter cut off, and says that it stopped", async () => {
    const { code, stderr } = await runExample("ai-sdk.ts", responsesResponse, [filtered]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Stopped (content-filter)")]);
    expect(await readdir(directory)).toEqual([]);
  });
});

describe("openai-agents.ts", () => {
  test("runs the call, and stops when the model is done", async () => {
    const { code, stdout, stderr } = await runExample("openai-agents.ts", responsesResponse, [write, end]);
    expect([code, stdout, stderr]).toEqual([0, "It is written.\n", "Done: 1 calls\n"]);
    expect(await readFile(path.join(directory, "notes.txt"), "utf8")).toBe("tea\n");
    expect(JSON.stringify(provider?.asked[1]?.body)).toContain("Created notes.txt");
  });

  test("executes nothing of a cut-off answer, and says why it stopped", async () => {
    const { code, stderr } = await runExample("openai-agents.ts", responsesResponse, [cut]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Stopped: .*incomplete/)]);
    expect(await readdir(directory)).toEqual([]);
  });

  test("executes nothing of an answer that a filter cut off, and says that it stopped", async () => {
    const { code, stderr } = await runExample("openai-agents.ts", responsesResponse, [filtered]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Stopped: .*incomplete/)]);
    expect(await readdir(directory)).toEqual([]);
  });

  test("says that the model refused", async () => {
    const { code, stderr } = await runExample("openai-agents.ts", responsesResponse, [{ refusal: "I may not." }]);
    expect([code, stderr]).toEqual([1, "Stopped: Model refused to produce output: I may not.\n"]);
  });
});

describe("mcp-client.ts with mcp-server.ts", () => {
  const asked = expect.stringMatching(/^Call files__create_file with .*\[y\/N\] /);
  const callServer = (call: object, input: string): Promise<Finished> => {
    const server = [process.execPath, "--conditions=@dispatch/source", path.join(examples, "mcp-server.ts")];
    return runNode([path.join(examples, "mcp-client.ts"), JSON.stringify(call), ...server], { cwd: directory, input });
  };

  test("calls a tool of the server once the user has agreed, and both end", async () => {
    const call = { name: "files__create_file", arguments: { path: "notes.txt", content: "tea\n" } };
    const { code, stdout, stderr } = await callServer(call, "y\n");
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^Created notes\.txt/), asked]);
    expect(await readFile(path.join(directory, "notes.txt"), "utf8")).toBe("tea\n");
  });

  test("calls nothing that the user refuses", async () => {
    const call = { name: "files__create_file", arguments: { path: "notes.txt", content: "tea\n" } };
    const { code, stdout, stderr } = await callServer(call, "n\n");
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining("files__create_file was denied"), asked]);
    expect(await readdir(directory)).toEqual([]);
  });
});
