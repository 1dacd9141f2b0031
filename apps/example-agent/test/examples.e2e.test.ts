import { globSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Answer } from "./fake-provider/answer.ts";
import { startFakeProvider, type FakeProvider } from "./fake-provider/fake-provider.ts";
import { anthropicMessage, chatCompletion, responsesResponse, whole } from "./fake-provider/whole-answers.ts";
import { runNode, type Finished } from "./run-agent.ts";

const examples = path.join(import.meta.dirname, "../examples");

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
const end: Answer = { text: "It is written." };

/** Runs an example in a directory of its own, against a provider that gives these answers. */
async function runExample(
  name: string,
  format: (answer: Answer) => object,
  answers: readonly Answer[],
): Promise<Finished> {
  provider = await startFakeProvider(...answers.map((answer) => whole(format(answer))));
  const env = {
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: "test",
    OPENAI_BASE_URL: `${provider.url}/v1`,
    OPENAI_API_KEY: "test",
  };
  return runNode([path.join(examples, name), "Write down: tea"], { cwd: directory, env });
}

test("every example is at most 60 lines long and is run here", () => {
  const tests = readFileSync(import.meta.filename, "utf8");
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
  test("executes nothing of a cut-off answer, then runs the call, and stops when the model is done", async () => {
    const { code, stdout, stderr } = await runExample(name, format, [cut, write, end]);
    expect([code, stdout, stderr]).toEqual([0, "It is written.\n", "Done: 1 calls\n"]);
    expect(await readdir(directory)).toEqual(["notes.txt"]);
    expect(provider?.asked.map(({ path: asked }) => asked)).toEqual([address, address, address]);
    const [first, second, third] = provider?.asked.map(({ body }) => JSON.stringify(body)) ?? [];
    expect(first).toContain("Write down: tea");
    expect(second).toContain("cut off");
    expect(second).not.toContain("half.txt");
    expect(third).toContain("Created notes.txt");
  });

  test("gives up on a model that never comes to an end", async () => {
    const list: Answer = { calls: [{ id: "call_9", name: "list_files", input: {} }] };
    const { code, stderr } = await runExample(
      name,
      format,
      Array.from({ length: 20 }, () => list),
    );
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Stopped after 20 turns/)]);
    expect(provider?.asked).toHaveLength(20);
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
    expect(await readdir(directory)).not.toContain("half.txt");
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
});

describe("mcp-client.ts with mcp-server.ts", () => {
  const callServer = (call: object, input: string): Promise<Finished> => {
    const server = [process.execPath, "--conditions=@dispatch/source", path.join(examples, "mcp-server.ts")];
    return runNode([path.join(examples, "mcp-client.ts"), JSON.stringify(call), ...server], { cwd: directory, input });
  };

  test("calls a tool of the server once the user has agreed, and both end", async () => {
    const call = { name: "create_file", arguments: { path: "notes.txt", content: "tea\n" } };
    const { code, stdout } = await callServer(call, "y\n");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Created notes\.txt/)]);
    expect(await readFile(path.join(directory, "notes.txt"), "utf8")).toBe("tea\n");
  });

  test("calls nothing that the user refuses", async () => {
    const call = { name: "create_file", arguments: { path: "notes.txt", content: "tea\n" } };
    const { code, stdout } = await callServer(call, "n\n");
    expect([code, stdout]).toEqual([0, expect.stringContaining("create_file was denied")]);
    expect(await readdir(directory)).toEqual([]);
  });
});

describe("memory-web-handler.ts", () => {
  type Handler = { fetch(request: Request): Promise<Response>; close(): Promise<void> };
  afterEach(() => vi.unstubAllEnvs());

  test("keeps each user's memory apart, and answers nobody without a token", async () => {
    vi.stubEnv("API_TOKENS", "ada:one,bob:two");
    vi.stubEnv("MEMORY_URL", path.join(directory, "memory"));
    const { handler } = (await import(path.join(examples, "memory-web-handler.ts"))) as { handler: Handler };
    const send = async (token: string, address: string, body?: object): Promise<readonly [number, string]> => {
      const headers = { authorization: `Bearer ${token}` };
      const method = body === undefined ? "GET" : "POST";
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await handler.fetch(new Request(`http://localhost${address}`, init));
      return [response.status, await response.text()];
    };
    try {
      const written = await send("one", "/tools/memory_write", { label: "drinks", content: "Ada likes green tea" });
      expect(written[0]).toBe(200);
      expect(await send("one", "/tools/memory_read", { query: "tea" })).toEqual([
        200,
        expect.stringContaining("green tea"),
      ]);
      expect((await send("two", "/tools/memory_read", { query: "tea" }))[1]).not.toContain("green tea");
      expect(await send("three", "/tools/memory_read", { query: "tea" })).toEqual([401, expect.any(String)]);
      expect((await send("one", "/tools/memory_read", {}))[0]).toBe(422);
      expect((await send("one", "/tools/steward", {}))[0]).toBe(404);
      expect(await send("one", "/tools")).toEqual([200, expect.stringContaining("memory_write")]);
    } finally {
      await handler.close();
    }
  });
});
