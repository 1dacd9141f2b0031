import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectMcp, type McpClientOptions, type McpSource } from "@dispatch/mcp/client";
import { toAnthropicTools } from "@dispatch/providers/anthropic";
import { toOpenAiTools } from "@dispatch/providers/openai";
import { createToolRegistry, type AnyToolRegistry, type ToolResult } from "@dispatch/tools-interface";
import { afterAll, expect, onTestFinished, test } from "vitest";

const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "real-servers-")));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
writeFileSync(path.join(directory, "a.txt"), "in the directory\n");

/** Servers from npm, none of which needs a network to list its tools; keys are looked at when a tool is called. */
const SERVERS: Readonly<
  Record<string, readonly [bin: string, args?: readonly string[], env?: Record<string, string>]>
> = {
  filesystem: ["mcp-server-filesystem", [directory]],
  everything: ["mcp-server-everything"],
  memory: ["mcp-server-memory", [], { MEMORY_FILE_PATH: path.join(directory, "memory.jsonl") }],
  "sequential-thinking": ["mcp-server-sequential-thinking"],
  playwright: ["playwright-mcp"],
  "chrome-devtools": ["chrome-devtools-mcp", ["--no-usage-statistics"], { CI: "1" }],
  notion: ["notion-mcp-server", [], { NOTION_TOKEN: "none" }],
  context7: ["context7-mcp"],
  tavily: ["tavily-mcp", [], { TAVILY_API_KEY: "none" }],
  firecrawl: ["firecrawl-mcp", [], { FIRECRAWL_API_KEY: "none" }],
};

function start(name: string, options: McpClientOptions = {}): McpSource {
  const [bin = "", args = [], env = {}] = SERVERS[name] ?? [];
  const command = path.join(import.meta.dirname, "node_modules/.bin", bin);
  const source = connectMcp(name, { command, args, env, cwd: directory }, { connectTimeoutMs: 100_000, ...options });
  onTestFinished(() => source.close());
  return source;
}

const call = (registry: AnyToolRegistry, name: string, params: object = {}): Promise<ToolResult> =>
  registry.dispatch(name, params, { approve: () => true });

test.concurrent.each(Object.keys(SERVERS))(
  "every tool of %s can be used, and goes out to every provider",
  async (name) => {
    const source = start(name);
    const tools = await source.tools();
    expect(source.problems).toEqual([]);
    expect(tools.length).toBeGreaterThan(0);
    const registry = createToolRegistry().register(tools);
    expect(toAnthropicTools(registry).tools).toHaveLength(tools.length);
    expect(toOpenAiTools(registry).tools).toHaveLength(tools.length);
    expect(registry.generateStubs()).toContain(`async function`);
  },
);

test("files of the reference server are read, and nothing outside of its directory", async () => {
  const registry = createToolRegistry().register(await start("filesystem").tools());
  const read = await call(registry, "filesystem__read_text_file", { path: path.join(directory, "a.txt") });
  expect(read).toMatchObject({ success: true, output: "in the directory\n", data: { content: "in the directory\n" } });
  const refused = await call(registry, "filesystem__read_text_file", { path: "/etc/passwd" });
  expect(refused).toMatchObject({ success: false, code: "mcp_error", error: expect.stringContaining("Access denied") });
});

test("nothing of what the server that has everything answers is lost", async () => {
  const registry = createToolRegistry().register(await start("everything").tools());
  const kinds = async (name: string, params: object = {}): Promise<unknown> => {
    const result = await call(registry, `everything__${name}`, params);
    return result.success && (result.content?.map(({ type }) => type) ?? ["text"]);
  };
  expect(await kinds("echo", { message: "hi" })).toEqual(["text"]);
  expect(await kinds("get-tiny-image")).toEqual(["text", "image", "text"]);
  expect(await kinds("get-resource-links", { count: 2 })).toEqual(["text", "resource_link", "resource_link"]);
  expect(await kinds("get-annotated-message", { messageType: "error", includeImage: true })).toEqual(["text", "image"]);
  expect(await kinds("get-resource-reference", { resourceType: "Blob", resourceId: 1 })).toEqual([
    "text",
    "file",
    "text",
  ]);
  expect(await call(registry, "everything__get-structured-content", { location: "New York" })).toMatchObject({
    data: { temperature: expect.any(Number), conditions: expect.any(String) },
  });
});

test("a task of 2025-11-25 is waited for with its reports, asks the user, and is cancelled with its call", async () => {
  const asked: string[] = [];
  const source = start("everything", {
    elicit({ message, fields }) {
      asked.push(`${message} ${JSON.stringify(fields)}`);
      return Promise.resolve({ action: "accept", content: { interpretation: "snake" } });
    },
  });
  const registry = createToolRegistry().register(await source.tools());
  const research = (params: object, signal?: AbortSignal, said: string[] = []): Promise<ToolResult> =>
    registry.dispatch("everything__simulate-research-query", params, {
      approve: () => true,
      ...(signal && { signal }),
      onEvent: (event) => event.type === "call-progress" && said.push(event.update.message),
    });
  const said: string[] = [];
  const plain = await research({ topic: "tea" }, undefined, said);
  expect(plain).toMatchObject({ success: true, output: expect.stringContaining("# Research Report: tea") });
  expect(said).toEqual(expect.arrayContaining(["Gathering sources...", "Generating report..."]));
  expect(asked).toEqual([]);

  const unclear = await research({ topic: "python", ambiguous: true });
  expect(unclear).toMatchObject({ success: true, output: expect.stringContaining("(snake)") });
  expect(asked).toEqual([expect.stringContaining('"const":"snake"')]);

  const stop = new AbortController();
  const begun: string[] = [];
  const cancelled = research({ topic: "tea" }, stop.signal, begun);
  await expect.poll(() => begun.length, { timeout: 60_000 }).toBeGreaterThan(0);
  stop.abort();
  expect(await cancelled).toMatchObject({ success: false, stopped: true });
  // The server is well, and knows other tasks.
  expect(await call(registry, "everything__echo", { message: "hi" })).toMatchObject({ success: true });
});
