import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main, plainEnvironment } from "../test/run-agent.ts";

let directory: string;
let client: Client;
const asked: string[] = [];
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "mcp-v1-"));
  client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { approve: true } };
  });
  const args = ["--conditions=@dispatch/source", main, "mcp", "--workspace", directory, "--structured-output"];
  const env = plainEnvironment() as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
});
afterAll(async () => {
  await client.close();
  await rm(directory, { recursive: true, force: true });
});

test("the client of the first SDK, which most programs have, accepts the data of every kind of tool", async () => {
  await client.listTools();
  const content = Array.from({ length: 200 }, (_, line) => `line ${line} about the blue whale`).join("\n\n");
  const calls = [
    ["create_file", { path: "a.txt", content: "one\n" }],
    ["edit_file", { path: "a.txt", edits: [{ old_text: "one", new_text: "two" }] }],
    ["write_file", { path: ".vscode/settings.json", content: "{}" }],
    ["read_file", { path: "a.txt" }],
    ["list_files", {}],
    ["search_files", { query: "two" }],
    ["undo_file_change", { path: "a.txt" }],
    ["memory_write", { label: "notes/whale", content, tier: "archival" }],
    ["memory_read", { query: "whale" }],
    ["memory_list", {}],
    ["execute_code", { code: "return [1, { a: null }]" }],
  ] as const;
  const results = new Map<string, unknown>();
  for (const [name, args] of calls) {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    results.set(name, result.structuredContent);
  }
  expect(asked).toEqual([expect.stringContaining("write_file")]);
  // A tuple, which a validator by draft 7 once refused.
  const pair = expect.arrayContaining([[expect.any(Number), expect.any(Number)]]) as unknown;
  expect(results.get("memory_read")).toMatchObject({ blocks: [{ label: "notes/whale", passages: pair }] });
});
