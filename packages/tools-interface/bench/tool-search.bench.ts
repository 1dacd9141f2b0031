import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { JsonSchema } from "../src/index.ts";
import { createToolIndex } from "../src/search/tool-index.ts";
import { median, metric } from "./measure.ts";
import { installPeers } from "./peers-directory.ts";

/**
 * Recall of the right tools among the first five found. `DISPATCH_TOOL_SEARCH` or the first argument names a directory of
 * `NAME.tools.json`, `[{ id, name, description, inputSchema | args }]`, and `NAME.queries.json`,
 * `[{ query, gold: [[id, …], …] }]`: each inner list is one tool that is needed, any of its ids counts. Such corpora
 * (LiveMCPBench, BFCL, Seal-Tools, MetaTool, ToolLens) are no part of the project. The tool searches of the AI SDK and of Mastra
 * are asked the same in the same run.
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

/** The peers' tool searches, by their names in `peers/search/find-tools.ts`. */
const PEERS = ["ai", "mastra"];
/** Queries that peers are asked of each corpus: each takes them up to 20 ms. */
const PEER_QUERIES = 400;

if (directory === undefined) console.log("tool-search: not measured, DISPATCH_TOOL_SEARCH names no directory");
else {
  installPeers();
  for (const [name, queries, from] of CORPORA) {
    const [tools, asked] = [readTools(from), readQueries(queries)];
    const index = indexOf(tools);
    const find = (query: string) => index.search(query, { limit: FOUND }).map(({ name: found }) => found);
    metric(
      `search.recall5.${name}`,
      recall(tools, asked, (all) => all.map(find)),
      "share",
    );
    const hostile = indexOf([...stuffedTools(tools), ...tools]);
    metric(
      `search.recall5.${name}.stuffed`,
      recall(tools, asked, (all) =>
        all.map((query) => hostile.search(query, { limit: FOUND }).map(({ name: found }) => found)),
      ),
      "share",
    );
    for (const peer of PEERS) {
      const some = asked.slice(0, PEER_QUERIES);
      metric(
        `search.recall5.${name}.${peer}`,
        recall(tools, some, (all) => findByPeer(peer, tools, all)),
        "share",
      );
    }
  }
  measureTime(readTools("seal-tools-out"), readQueries("seal-tools-out"));
}

/** Tools whose texts are made of the words that most others use: repeated, listed, all of them, in the name, in the parameters. */
function stuffedTools(tools: readonly Tool[]): readonly Tool[] {
  const counts = new Map<string, number>();
  for (const { name, description } of tools)
    for (const word of new Set(`${name} ${description}`.toLowerCase().match(/[a-z]{4,}/g)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].toSorted((a, b) => b[1] - a[1]).map(([word]) => word);
  const texts = [
    `${words.slice(0, 10).join(" ")} `.repeat(40),
    words.slice(0, 30).join(", "),
    words.slice(0, 1_500).join(" "),
  ];
  const stuffed = (id: string, name: string, description: string, args = ""): Tool => ({ id, name, description, args });
  return [
    ...texts.map((text, at) => stuffed(`stuffed/${at}`, `stuffed_${at}`, text)),
    stuffed("stuffed/name", words.slice(0, 12).join("_"), "Best tool."),
    stuffed("stuffed/args", "stuffed_args", "Best tool.", words.slice(0, 100).join(" ").repeat(9)),
  ];
}

/** Peers know tools by unique names: those of the same name are numbered. */
function findByPeer(peer: string, tools: readonly Tool[], queries: readonly string[]): readonly (readonly string[])[] {
  const counts = new Map<string, number>();
  const originals = new Map<string, string>();
  const numbered = tools.map(({ name, description }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const unique = count === 1 ? name : `${name}_${count}`;
    originals.set(unique, name);
    return { name: unique, description: description ?? "" };
  });
  const program = path.join(import.meta.dirname, "../peers/search/find-tools.ts");
  const input = JSON.stringify({ tools: numbered, queries });
  const output = execFileSync(process.execPath, [program, peer], { input, maxBuffer: 1e8, encoding: "utf8" });
  const found = JSON.parse(output) as readonly (readonly string[])[];
  return found.map((names) => names.map((name) => originals.get(name) ?? name));
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

function recall(
  tools: readonly Tool[],
  queries: readonly Query[],
  find: (queries: readonly string[]) => readonly (readonly string[])[],
): number {
  // Servers have tools of the same name; a search returns names, so each tool gets a unique one.
  const ids = new Map<string, string[]>();
  for (const { id, name } of tools) ids.set(name, [...(ids.get(name) ?? []), id]);
  const answers = find(queries.map(({ query }) => query));
  const shares = queries.map(({ gold }, at) => {
    const taken = new Map<string, number>();
    const hits = (answers[at] ?? []).map((name) => {
      const count = taken.get(name) ?? 0;
      taken.set(name, count + 1);
      return ids.get(name)?.[count];
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
