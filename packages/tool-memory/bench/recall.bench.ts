import { readFileSync } from "node:fs";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import type { Database } from "../src/database/database.ts";
import type { Embedder } from "../src/search/embedder.ts";
import { localEmbedder } from "../src/search/local-embedder.ts";
import { openOn, sqlite } from "../test/engines.ts";
import { plainBm25 } from "./plain-search.ts";

/**
 * Recall of evidence in conversations of LoCoMo's shape (Maharana et al., ACL 2024): for each question, the part of the
 * turns that answer it among the first ten hits. `DISPATCH_LOCOMO` or the first argument names the file:
 * `[{ sample_id, turns: [{ id, session, speaker, text, caption? }], questions: [{ question, evidence: [id], category }] }]`.
 *
 * Each turn is an archival note of its own, written in order and labelled by session and turn, as by an agent that
 * keeps a log of a conversation. Questions of category 5 have no answer in the text and are left out. Plain BM25 over the
 * same texts runs beside. Prints one line a figure: `METRIC name value unit`.
 */
interface Conversation {
  readonly sample_id: string;
  readonly turns: readonly {
    readonly id: string;
    readonly session: string;
    readonly speaker: string;
    readonly text: string;
    readonly caption?: string | null;
  }[];
  readonly questions: readonly {
    readonly question: string;
    readonly evidence: readonly string[];
    readonly category: number;
  }[];
}

/** On these the weights were fitted; the rest shows whether they hold. */
const FITTED = 2;
const HITS = 10;

const path = process.env["DISPATCH_LOCOMO"] ?? process.argv[2];
if (path === undefined) {
  console.log("recall: not measured, DISPATCH_LOCOMO names no file");
} else {
  const conversations = JSON.parse(readFileSync(path, "utf8")) as readonly Conversation[];
  const sql = await sqlite.open();
  try {
    const bm25 = conversations.map((conversation) => recall(conversation, plainBm25(conversation.turns.map(toText))));
    report("memory.recall10.bm25", bm25);
    const modes: readonly (readonly [string, Embedder | "none"])[] = [
      ["memory.recall10.locomo_dev", "none"],
      ["memory.recall10.locomo_dev_local", localEmbedder()],
    ];
    for (const [name, embedder] of modes) {
      const results: number[] = [];
      for (const conversation of conversations) results.push(await recallOf(sql, name, conversation, embedder));
      report(name, results);
      if (name === "memory.recall10.locomo_dev") {
        metric("memory.recall10.vs_bm25", mean(results) / mean(bm25), "x");
      }
    }
  } finally {
    await sql.close();
  }
}

async function recallOf(
  sql: Database,
  mode: string,
  conversation: Conversation,
  embedder: Embedder | "none",
): Promise<number> {
  const owner = `${mode} ${conversation.sample_id}`;
  const { admin, manager, settled, close } = await openOn(sql, { owner, embedder });
  const idOf = new Map<string, string>();
  for (const turn of conversation.turns) {
    const label = `${turn.session}/${turn.id}`;
    idOf.set(label, turn.id);
    const result = await admin.write({ label, content: toText(turn), tier: "archival" });
    if (result.outcome !== "applied") throw new Error(`a turn was not written: ${result.reason}`);
  }
  await settled();
  const found = new Map<string, readonly string[]>();
  for (const { question } of asked(conversation)) {
    const hits = await manager.search(question, { limit: HITS });
    if (embedder !== "none" && hits.degraded !== undefined) throw new Error(`a search was degraded: ${hits.degraded}`);
    found.set(
      question,
      hits.map(({ label }) => idOf.get(label) ?? ""),
    );
  }
  await close();
  return mean(asked(conversation).map((question) => part(question.evidence, found.get(question.question) ?? [])));
}

function recall(conversation: Conversation, rank: (query: string) => readonly number[]): number {
  return mean(
    asked(conversation).map(({ question, evidence }) =>
      part(
        evidence,
        rank(question)
          .slice(0, HITS)
          .map((at) => conversation.turns[at]?.id ?? ""),
      ),
    ),
  );
}

function asked({ questions, turns }: Conversation) {
  const ids = new Set(turns.map(({ id }) => id));
  return questions
    .map((question) => ({ ...question, evidence: question.evidence.filter((id) => ids.has(id)) }))
    .filter(({ category, evidence }) => category !== 5 && evidence.length > 0);
}

function toText({ speaker, text, caption }: Conversation["turns"][number]): string {
  return `${speaker}: ${text}${caption ? ` [photo: ${caption}]` : ""}`;
}

function part(wanted: readonly string[], found: readonly string[]): number {
  return wanted.filter((id) => found.includes(id)).length / wanted.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}

function report(name: string, results: readonly number[]): void {
  metric(name, mean(results), "share");
  metric(`${name}.held_out`, mean(results.slice(FITTED)), "share");
}
