import { readFileSync } from "node:fs";
import path from "node:path";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  type AnyTool,
  type AnyToolRegistry,
  type JsonSchema,
} from "@dispatch/tools-interface";
// @boundaries-ignore figures are printed in one way
// @boundaries-ignore benches measure in one way
import { median, metric } from "../../tools-interface/bench/measure.ts";
import { toAnthropicResults, toAnthropicTools } from "../src/anthropic.ts";
import { toGeminiResults, toGeminiTools } from "../src/gemini.ts";
import { toOpenAiChatResults, toOpenAiChatTools, toOpenAiResults, toOpenAiTools } from "../src/openai.ts";
import type { WireTools } from "../src/wire/wire-tools.ts";

/**
 * The cost of many tools. `DISPATCH_TOOL_SEARCH` names a directory with `livemcp.tools.json`, real tools of MCP
 * servers, and `livemcp.calls.json`, calls that a model made to them: no part of the project. Without it the tools are
 * made up.
 */
interface Tool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}
interface Call {
  readonly server_name: string;
  readonly tool_name: string;
  readonly params: unknown;
}

const CHARS_PER_TOKEN = 4;
const directory = process.env["DISPATCH_TOOL_SEARCH"] ?? process.argv[2];
const read = <T>(name: string, otherwise: readonly T[]): readonly T[] =>
  directory === undefined ? otherwise : (JSON.parse(readFileSync(path.join(directory, name), "utf8")) as T[]);
const made = Array.from({ length: 527 }, (_, at): Tool => {
  const name = `${["read", "write", "find", "send"][at % 4]}_${["mail", "file", "map", "song", "stock"][at % 5]}_${at}`;
  const properties = { text: { type: "string", description: `What to ${name}.` } };
  return { id: `server/${name}`, name, description: `Does ${name}.`, inputSchema: { type: "object", properties } };
});
const tools = read("livemcp.tools.json", made);
const define = ({ name, description, inputSchema }: Tool, suffix = ""): AnyTool =>
  defineTool({
    name: (name.replaceAll(/[^A-Za-z0-9_./-]/g, "_") + suffix).slice(-128),
    description: description || "A tool.",
    parameters: inputSchema,
    execute: () => "done",
  });

await measureDeferral(
  createToolRegistry().register(
    tools.map((tool, at) => define(tool, `_${at}`)),
    { defer: true },
  ),
);
measureManyTools(5_000);
measureStubs(1_000);
await measureCalls(read<Call>("livemcp.calls.json", []));

async function measureDeferral(registry: AnyToolRegistry): Promise<void> {
  metric(
    "defer.tokens_at_rest",
    JSON.stringify(registry.toModelTools()).length / CHARS_PER_TOKEN,
    `of_${registry.size}`,
  );
  metric("defer.tokens_of_all", JSON.stringify(registry.toArray()).length / CHARS_PER_TOKEN, "tokens");
  const transcript = createTranscript();
  const queries = tools.filter((_, at) => at % 10 === 0).map(({ description }) => description.slice(0, 200));
  const calls = queries.map((query, at) => ({ id: `${at}`, name: "search_tools", params: { query } }));
  const results = await registry.dispatchAll(calls, { transcript });
  let breaks = 0;
  const hold = (wire: WireTools, list: readonly unknown[], add: (at: number) => unknown): void => {
    const atRest = list.map((one) => JSON.stringify(one));
    for (const at of calls.keys()) {
      add(at);
      breaks += atRest.some((bytes, place) => JSON.stringify(list[place]) !== bytes) ? 1 : 0;
    }
    if (wire.deferred?.found.length === 0) throw new Error("Cannot measure deferral: nothing was found");
  };
  const one = (at: number) => [[calls[at]!], [results[at]!]] as const;
  const anthropic = toAnthropicTools(registry);
  hold(anthropic, anthropic.tools, (at) => toAnthropicResults(...one(at), anthropic));
  const responses = toOpenAiTools(registry);
  hold(responses, responses.tools, (at) => toOpenAiResults(...one(at), responses));
  const chat = toOpenAiChatTools(registry);
  hold(chat, chat.tools, (at) => toOpenAiChatResults(...one(at), chat));
  const gemini = toGeminiTools(registry);
  hold(gemini, gemini.tools[0]?.functionDeclarations ?? [], (at) => toGeminiResults(...one(at), gemini));
  metric("defer.cache_breaks", breaks, `of_${4 * calls.length}`);
}

function measureManyTools(count: number): void {
  const sources = Array.from({ length: count }, (_, at) => structuredClone(tools[at % tools.length]!));
  const start = performance.now();
  const many = sources.map((tool, at) => define(tool, `_${at}`));
  metric(`define.us_per_tool.${count}`, ((performance.now() - start) / count) * 1_000, "us");
  const times = Array.from({ length: 9 }, () => {
    const from = performance.now();
    createToolRegistry().register(many, { defer: true }).toModelTools();
    return performance.now() - from;
  });
  metric(`register.ms.${count}`, median(times), "ms");
}

function measureStubs(count: number): void {
  const many = Array.from({ length: count }, (_, at) => define(tools[at % tools.length]!, `_${at}`));
  const registry = createToolRegistry().register(many);
  const source = registry.generateStubs({ declarations: true, detail: "signatures", maxTokens: 4_000 });
  const named = new Set(source.match(/\w+/g));
  metric("stubs.names_shown", many.filter(({ name }) => named.has(name.replaceAll(/\W/g, "_"))).length, `of_${count}`);
  metric("stubs.tokens", source.length / CHARS_PER_TOKEN, "tokens");
}

/** Real calls: how many fit, are repaired and refused. */
async function measureCalls(calls: readonly Call[]): Promise<void> {
  const counts = { fit: 0, repaired: 0, refused: 0 };
  for (const { server_name, tool_name, params } of calls) {
    const source = tools.find(({ id }) => id === `${server_name}/${tool_name}`);
    if (source === undefined) continue;
    const tool = define(source);
    const result = await createToolRegistry().register(tool).dispatch({ name: tool.name, params });
    if (result.success) counts[result.repairs.length > 0 ? "repaired" : "fit"] += 1;
    else counts.refused += 1;
  }
  if (calls.length === 0)
    return console.log("many-tools: real calls not measured, DISPATCH_TOOL_SEARCH names no directory");
  for (const kind of ["fit", "repaired", "refused"] as const)
    metric(`repair.real.${kind}`, counts[kind], `of_${calls.length}`);
}
