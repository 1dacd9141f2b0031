/**
 * How many tools of real servers `connectMcp` makes usable, and how many parts of results it loses. `DISPATCH_TOOL_CORPUS` names a JSON
 * file with an array of tools as servers list them; it is no part of the project.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { toAnthropicTools } from "@dispatch/providers/anthropic";
import { toGeminiTools } from "@dispatch/providers/gemini";
import { toOpenAiTools } from "@dispatch/providers/openai";
import { createToolRegistry, type ContentPart } from "@dispatch/tools-interface";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import fc from "fast-check";
// @boundaries-ignore figures are printed in one way
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { connectMcp, type McpSource } from "../src/client/index.ts";

/** Results that are drawn. */
const RESULTS = 2_000;

interface CorpusTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
}

function sourceOf(tools: readonly CorpusTool[], result: () => object): McpSource {
  const transport = async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = new Server({ name: "corpus", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", ({ params }) => {
      const at = Number(params?.cursor ?? 0);
      const page = tools.slice(at, at + 50);
      return { tools: page, ...(at + 50 < tools.length && { nextCursor: String(at + 50) }) } as never;
    });
    server.setRequestHandler("tools/call", () => result() as never);
    await server.connect(theirs);
    return ours;
  };
  return connectMcp("corpus", { transport });
}

const file = process.env["DISPATCH_TOOL_CORPUS"];
if (file !== undefined) {
  const corpus = JSON.parse(readFileSync(file, "utf8")) as CorpusTool[];
  // One name is one tool of one server; here the tools of many servers share a list.
  const tools = corpus.map((tool, index) => ({ ...tool, name: `${index}_${tool.name}` }));
  const source = sourceOf(tools, () => ({ content: [{ type: "text", text: "ok" }] }));
  const registry = createToolRegistry().register(await source.tools());
  let usable = 0;
  for (const name of registry.toolNames) {
    const alone = registry.subset(name);
    const sent = [toAnthropicTools(alone).tools, toOpenAiTools(alone).tools, toGeminiTools(alone).tools];
    if (sent.every(({ length }) => length === 1)) usable += 1;
  }
  for (const { tool, message } of source.problems) console.log(`${tool}: ${message}`);
  metric("mcp.import.tools", corpus.length, "tools");
  metric("mcp.import.tools_usable", (100 * usable) / corpus.length, "percent");
  await source.close();
}

/** A part of each kind that the protocol has, with a mark in it, which has to come out at the other end. */
const markedPart = fc.constantFrom<(mark: string) => unknown>(
  (mark) => ({ type: "text", text: `a\n\tline ${mark}` }),
  (mark) => ({ type: "image", data: base64(mark), mimeType: "image/png" }),
  (mark) => ({ type: "audio", data: base64(mark), mimeType: "audio/wav" }),
  (mark) => ({ type: "resource", resource: { uri: `file:///${mark}`, text: mark } }),
  (mark) => ({ type: "resource", resource: { uri: `file:///${mark}`, blob: base64(mark), mimeType: "a/b" } }),
  (mark) => ({ type: "resource_link", uri: `https://example.com/${mark}`, name: mark }),
  (mark) => ({ type: "text", text: mark, annotations: { audience: ["user"] }, _meta: { a: 1 } }),
);
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const drawn = fc.sample(fc.array(markedPart, { minLength: 1, maxLength: 6 }), { numRuns: RESULTS, seed: 20 });
let content: unknown[] = [];
const source = sourceOf([{ name: "show", inputSchema: { type: "object" } }], () => ({ content }));
const registry = createToolRegistry().register(await source.tools());
let lost = 0;
let sent = 0;
for (const [round, makers] of drawn.entries()) {
  const marks = makers.map((_, at) => `mark-${round}-${at}-`);
  content = makers.map((make, at) => make(marks[at] ?? ""));
  const result = await registry.dispatch("corpus__show", {}, { approve: () => true });
  const parts: readonly ContentPart[] = (result.success && result.content) || [];
  const shown = JSON.stringify([result.success ? result.output : result.error, parts]);
  sent += marks.length;
  lost += marks.filter((mark) => !shown.includes(mark) && !shown.includes(base64(mark))).length;
}
metric("mcp.content_parts", sent, "parts");
metric("mcp.lost_content_parts", lost, "parts");
await source.close();
