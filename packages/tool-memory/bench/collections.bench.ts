import { readFileSync } from "node:fs";
import { basename } from "node:path";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { openOn, sqlite } from "../test/engines.ts";
import { plainBm25, plainFts5 } from "./plain-search.ts";

/**
 * Recall at ten of collections with known answers, beside plain BM25 and FTS5 over the same texts. `DISPATCH_COLLECTIONS` or
 * the arguments name files: `[{ docs: [[label, text]], qs: [[query, [position of a doc]]] }]`, each entry a memory of its own
 * with archival notes. Prints one line a figure: `METRIC name value unit`.
 */
interface Collection {
  readonly docs: readonly (readonly [label: string, text: string])[];
  readonly qs: readonly (readonly [query: string, wanted: readonly number[]])[];
}

type Rank = (query: string) => readonly number[] | Promise<readonly number[]>;

const HITS = 10;
const files = process.env["DISPATCH_COLLECTIONS"]?.split(",") ?? process.argv.slice(2);
if (files.length === 0) console.log("collections: not measured, DISPATCH_COLLECTIONS names no file");

const sql = await sqlite.open();
for (const file of files) {
  const name = basename(file).replace(/\.json$/u, "");
  const collections = JSON.parse(readFileSync(file, "utf8")) as readonly Collection[];
  const found: Record<string, number> = { ours: 0, bm25_b75: 0, bm25_b100: 0, fts5: 0 };
  for (const [at, collection] of collections.entries()) {
    const texts = collection.docs.map(([, text]) => text);
    const ranks: Record<string, Rank> = {
      ours: await open(`${name} ${at}`, collection),
      bm25_b75: plainBm25(texts, 0.75),
      bm25_b100: plainBm25(texts, 1),
      fts5: plainFts5(texts),
    };
    for (const [by, rank] of Object.entries(ranks))
      found[by] = (found[by] ?? 0) + (await sumOfRecall(collection, rank));
  }
  const questions = collections.reduce((sum, { qs }) => sum + qs.length, 0);
  for (const [by, sum] of Object.entries(found)) metric(`memory.recall10.${name}.${by}`, sum / questions, "share");
  const { ours = 0, bm25_b75 = 0, bm25_b100 = 0 } = found;
  metric(`memory.recall10.${name}.vs_bm25`, ours / Math.max(bm25_b75, bm25_b100), "x");
}
await sql.close();

async function open(owner: string, { docs }: Collection): Promise<Rank> {
  const { admin, manager } = await openOn(sql, { owner, limits: { blocks: docs.length, totalChars: 1e9 } });
  for (const [label, text] of docs) await admin.write({ label, content: text.trim() || "-", tier: "archival" });
  const positions = new Map(docs.map(([label], at) => [label, at]));
  return async (query) => (await manager.search(query, { limit: HITS })).map(({ label }) => positions.get(label) ?? -1);
}

async function sumOfRecall({ qs }: Collection, rank: Rank): Promise<number> {
  let sum = 0;
  for (const [query, wanted] of qs) {
    const found = new Set((await rank(query)).slice(0, HITS));
    sum += wanted.filter((at) => found.has(at)).length / wanted.length;
  }
  return sum;
}
