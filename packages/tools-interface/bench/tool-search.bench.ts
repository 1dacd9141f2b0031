import { readFileSync } from "node:fs";
import path from "node:path";
import type { JsonSchema } from "../src/index.ts";
import { createToolIndex } from "../src/search/tool-index.ts";
import { median, metric } from "./measure.ts";

/**
 * Recall of the right tools among the first five found. `DISPATCH_TOOL_SEARCH` or the first argument names a directory of
 * `NAME.tools.json`, `[{ id, name, description, inputSchema | args }]`, and `NAME.queries.json`,
 * `[{ query, gold: [[id, …], …] }]`: each inner list is one tool that is needed, any of its ids counts. Such corpora
 * (LiveMCPBench, BFCL, Seal-Tools, MetaTool, ToolLens) are no part of the project.
 */
interface Tool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: JsonSchema;
  readonly args?: string;
}
interface Query {
  readonly query: string;
  readonly gold: readonly (readonly string[])[];
}

const CORPORA = [
  ["livemcp_steps", "livemcp-steps", "livemcp"],
  ["livemcp_tasks", "livemcp-tasks", "livemcp"],
  ["bfcl", "bfcl-live-multiple", "bfcl-live-multiple"],
  ["seal", "seal-tools-out", "seal-tools-out"],
  ["metatool", "metatool-single", "metatool-single"],
  ["toollens", "toollens", "toollens"],
] as const;
const FOUND = 5;
/** Of the catalogue that the time of a search is measured with. */
const MANY_TOOLS = 5_000;

const directory = process.env["DISPATCH_TOOL_SEARCH"] ?? process.argv[2];
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(directory ?? "", `${name}.json`), "utf8"));
const readTools = (name: string) => read(`${name}.tools`) as readonly Tool[];
const readQueries = (name: string) => read(`${name}.queries`) as readonly Query[];

if (directory === undefined) console.log("tool-search: not measured, DISPATCH_TOOL_SEARCH names no directory");
else {
  for (const [name, queries, tools] of CORPORA)
    metric(`search.recall5.${name}`, recall(readTools(tools), readQueries(queries)), "share");
  measureTime(readTools("seal-tools-out"), readQueries("seal-tools-out"));
}

function indexOf(tools: readonly Tool[]) {
  return createToolIndex(
    tools.map(({ name, description, inputSchema, args }) => {
      const parameters = inputSchema ?? {
        type: "object",
        properties: { "": { type: "string", description: args ?? "" } },
      };
      return { name, description: description ?? "", parameters };
    }),
  );
}

function recall(tools: readonly Tool[], queries: readonly Query[]): number {
  // Servers have tools of the same name; the index answers with names, so each gets one of its own.
  const index = indexOf(tools);
  const ids = new Map<string, string[]>();
  for (const { id, name } of tools) ids.set(name, [...(ids.get(name) ?? []), id]);
  const shares = queries.map(({ query, gold }) => {
    const taken = new Map<string, number>();
    const hits = index.search(query, { limit: FOUND }).map(({ name }) => {
      const at = taken.get(name) ?? 0;
      taken.set(name, at + 1);
      return ids.get(name)?.[at];
    });
    const found = new Set(hits);
    return gold.filter((any) => any.some((id) => found.has(id))).length / gold.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function measureTime(tools: readonly Tool[], queries: readonly Query[]): void {
  const many = Array.from({ length: MANY_TOOLS }, (_, at) => tools[at % tools.length]!);
  const start = performance.now();
  const index = indexOf(many);
  metric("search.index_ms.5000", performance.now() - start, "ms");
  const times = [...queries, ...queries].map(({ query }) => {
    const from = performance.now();
    index.search(query);
    return performance.now() - from;
  });
  metric("search.ms.5000", median(times.slice(queries.length)), "ms");
}
