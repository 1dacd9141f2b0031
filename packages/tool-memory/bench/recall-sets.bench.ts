import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import type { Embedder } from "../src/search/embedder.ts";
import { localEmbedder } from "../src/search/local-embedder.ts";
import { openOn, sqlite } from "../test/engines.ts";
import { plainBm25 } from "./plain-search.ts";

/**
 * Whether the note that answers is among the first five hits, for questions of several styles: `recall-sets.txt`, each question also with a
 * misspelling, among notes that are in the way: other subjects, and for each person notes that say nearly the same. Three orders of
 * writing. By words alone, and with the local embedder. Plain BM25 with stems runs beside; with `DISPATCH_MINISEARCH`, a path of that package, its fuzzy BM25 with prefixes too.
 * Prints one line a slice: `METRIC name value share`, for the half that nothing was tuned on; `tuning` as an argument names the other.
 */
const HITS = 5;
const isTuning = process.argv.includes("tuning");
const ORDERS = 3;

interface Asked {
  readonly style: string;
  readonly question: string;
  readonly note: number;
}

const lines = readFileSync(path.join(import.meta.dirname, "recall-sets.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const kept = lines.map((line) => line.split(" | "));
const random = toRandom(20_261_124);
const asked = kept.flatMap(([style = "", , ...questions], note): readonly Asked[] =>
  note % 2 === Number(isTuning)
    ? []
    : questions.flatMap((question) => {
        const misspelt = misspell(question);
        return [
          { style, question, note },
          ...(misspelt === question ? [] : [{ style: "typo", question: misspelt, note }]),
        ];
      }),
);
const texts = [...kept.map(([, note = ""]) => note), ...inTheWay()];

type Rank = (question: string) => Promise<readonly number[]> | readonly number[];
const found = new Map<string, Map<string, number[]>>();
for (let order = 0; order < ORDERS; order += 1) {
  const places = texts.map((_, at) => [random(), at] as const).toSorted(([a], [b]) => a - b);
  const written = places.map(([, at]) => at);
  await measure("ours", written, (list) => rankOurs(list, "none"));
  await measure("ours_local_embedder", written, (list) => rankOurs(list, localEmbedder()));
  await measure("bm25", written, async (list) => plainBm25(list));
  if (process.env["DISPATCH_MINISEARCH"] !== undefined) await measure("minisearch", written, rankMiniSearch);
}
const styles = [...new Set(asked.map(({ style }) => style))];
for (const style of [...styles, "all"])
  for (const [name, slices] of found) {
    const hits = style === "all" ? [...slices.values()].flat() : (slices.get(style) ?? []);
    metric(`memory.recall_sets.${style}.${name}`, hits.reduce((sum, hit) => sum + hit, 0) / hits.length, "share");
  }

async function measure(name: string, written: readonly number[], prepare: (list: readonly string[]) => Promise<Rank>) {
  const rank = await prepare(written.map((at) => texts[at] ?? ""));
  const slices = found.get(name) ?? new Map<string, number[]>();
  found.set(name, slices);
  for (const { style, question, note } of asked) {
    const hits = (await rank(question)).slice(0, HITS).map((at) => written[at]);
    if (process.argv.includes("--misses") && name === "ours" && !hits.includes(note))
      console.error(`${style}: ${question} -> ${hits.map((at) => texts[at ?? 0]).join(" / ")}`);
    slices.set(style, [...(slices.get(style) ?? []), Number(hits.includes(note))]);
  }
}

async function rankOurs(list: readonly string[], embedder: Embedder | "none"): Promise<Rank> {
  const { manager, admin, settled } = await openOn(await sqlite.open(), { embedder });
  for (const [at, content] of list.entries()) await admin.write({ label: `notes/${at}`, content, tier: "working" });
  await settled();
  return async (question) =>
    (await manager.search(question, { limit: HITS })).map(({ label }) => Number(label.split("/")[1]));
}

/** With pairs of characters for scripts without spaces, which the package leaves whole. */
async function rankMiniSearch(list: readonly string[]): Promise<Rank> {
  const { default: MiniSearch } = (await import(process.env["DISPATCH_MINISEARCH"] ?? "")) as {
    default: new (options: object) => { addAll(all: object[]): void; search(text: string): { id: number }[] };
  };
  const tokenize = (text: string): string[] =>
    (
      text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{M}\p{N}]+/gu) ?? []
    ).flatMap((run) =>
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(run) && run.length > 2
        ? Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2))
        : [run],
    );
  const index = new MiniSearch({ fields: ["text"], tokenize, searchOptions: { fuzzy: 0.2, prefix: true } });
  index.addAll(list.map((text, id) => ({ id, text })));
  return (question) => index.search(question).map(({ id }) => id);
}

/** Notes on the same people, near-identical ones among them, and on other things. */
function inTheWay(): readonly string[] {
  const people = ["Maria", "Jonas", "Priya", "Ben", "Lena", "Carla", "Tomas", "Ana"];
  const unsure = ["the car", "the flat", "the trip", "the food", "the school", "the meeting", "the key", "the cat"];
  const endings = ["", ", as of today", ", they told me", ", it seems", ", at least for now", ", according to Ola"];
  const crowd = people.flatMap((person, at) =>
    [0, 3].flatMap((step) =>
      endings.map((ending) => `${person} is not sure about ${unsure[(at + step) % unsure.length]}${ending}`),
    ),
  );
  const verbs = ["asked about", "wrote a note on", "talked about", "will think about", "sent a link about"];
  const things = [
    "the weather",
    "a film",
    "the budget",
    "new chairs",
    "the newsletter",
    "a podcast",
    "the printer",
    "a book",
  ];
  const talk = people.flatMap((person) => verbs.flatMap((verb) => things.map((thing) => `${person} ${verb} ${thing}`)));
  return [...crowd, ...talk];
}

/** Exchanges two letters, leaves one out or changes one in the longest word of plain letters. */
function misspell(question: string): string {
  const [longest] = (question.match(/(?<!\p{L})[a-zäöüßáéíóú]{6,}(?!\p{L})/giu) ?? []).toSorted(
    (a, b) => b.length - a.length,
  );
  if (longest === undefined) return question;
  const at = 1 + Math.floor(random() * (longest.length - 3));
  const [one = "", other = ""] = [longest[at], longest[at + 1]];
  const kind = Math.floor(random() * 3);
  const middle =
    kind === 0 && one !== other
      ? other + one
      : kind === 1
        ? other
        : one + String.fromCodePoint(97 + Math.floor(random() * 26));
  return question.replace(longest, longest.slice(0, at) + middle + longest.slice(at + 2));
}

/** Numbers below 1, the same for the same seed (mulberry32). */
function toRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
