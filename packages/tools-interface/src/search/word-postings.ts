import type { ToolDefinition } from "../call/tool.ts";
import type { JsonSchema } from "../json/json.ts";
import { toSearchWords } from "./search-words.ts";

/** How much a word counts by its field: the name, the description, the parameters. */
const WEIGHTS = [2, 1, 0.7] as const;
/** How far the length of a field counts against its words: 0 not at all, 1 in full. */
const LENGTH_SHARES = [0.5, 0.75, 0.75] as const;
/** Occurrences of one word in a field that count. More of them only make the field longer, so stuffing a text lowers its score. */
const MAX_REPEATS = [4, 4, 8] as const;
/** How soon more of the same word stop counting: `k1` of BM25. */
const SATURATION = 1.2;
/** Words that a tool lends to a request that it fits. */
const MAX_TELLING = 8;
/** Words of a field that are looked at side by side. */
const MAX_PAIRED = 200;
/** Words of tools between two pauses. */
const PAUSE = 2_000;

/** Tools by their places, and an amount for each. */
interface Postings {
  readonly tools: ArrayLike<number>;
  readonly amounts: ArrayLike<number>;
}

/** Pairs of words, by the first and the second, with the weight of each. */
export type WordPairs = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The statistics of the words of all tools. */
export interface WordPostings {
  /** How rare a word is: its inverse document frequency. */
  readonly rarityOf: (word: string) => number;
  /** The tools that hold a word, and its addition to the score of each. */
  readonly gains: ReadonlyMap<string, Postings>;
  /** The tools that hold a word in their name, and which share of the name it is. */
  readonly nameShares: ReadonlyMap<string, Postings>;
  /** The words that tell most of a tool, with the weight of each, most first. */
  readonly tellingOf: (tool: number) => readonly (readonly [word: string, gain: number])[];
  /** The weight of the pairs that stand side by side in a tool's name or description, each once. */
  readonly pairGain: (tool: number, pairs: WordPairs) => number;
}

/** Collects the words of tools. Pauses often, so that the work for many tools can be done in slices. */
export function* collectPostings(tools: readonly ToolDefinition[]): Generator<undefined, WordPostings> {
  const texts: ToolText[] = [];
  const sums = [0, 0, 0];
  for (const tool of tools) {
    const text = readToolText(tool);
    texts.push(text);
    for (const field of WEIGHTS.keys()) sums[field]! += text[field]!.length;
    yield;
  }
  const lengths = sums.map((sum) => sum / texts.length || 1);

  const holders = new Map<string, Holders>();
  for (const [tool, text] of texts.entries()) {
    for (const [word, amount] of toAmounts(text, lengths)) hold(holders, word, tool, amount);
    yield;
  }
  const rarities = new Map<string, number>();
  const gains = new Map<string, Postings>();
  let done = 0;
  for (const [word, { tools: of, amounts }] of holders) {
    const rarity = Math.log(1 + (texts.length - of.length + 0.5) / (of.length + 0.5));
    rarities.set(word, rarity);
    gains.set(word, { tools: Uint32Array.from(of), amounts: Float64Array.from(amounts, (one) => gainOf(one, rarity)) });
    done += of.length;
    if (done < PAUSE) continue;
    done = 0;
    yield;
  }
  const rarityOf = (word: string): number => rarities.get(word) ?? Math.log(1 + (texts.length + 0.5) / 0.5);

  const nameShares = new Map<string, Holders>();
  for (const [tool, [name]] of texts.entries()) {
    const words = new Set(name);
    let whole = 0;
    for (const word of words) whole += rarityOf(word);
    for (const word of words) hold(nameShares, word, tool, rarityOf(word) / whole);
    yield;
  }

  const telling: ReturnType<WordPostings["tellingOf"]>[] = [];
  return {
    rarityOf,
    gains,
    nameShares,
    tellingOf: (tool) =>
      (telling[tool] ??= [...toAmounts(texts[tool]!, lengths)]
        // A word that no other tool holds finds none.
        .filter(([word]) => gains.get(word)!.tools.length > 1)
        .map(([word, amount]) => [word, gainOf(amount, rarityOf(word))] as const)
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, MAX_TELLING)),
    pairGain: (tool, pairs) => {
      const [name, description] = texts[tool]!;
      return (
        pairGainOf(name, pairs, amountOf(0, name, lengths)) +
        pairGainOf(description, pairs, amountOf(1, description, lengths))
      );
    },
  };
}

/** Postings in the making. */
interface Holders {
  readonly tools: number[];
  readonly amounts: number[];
}

function hold(holders: Map<string, Holders>, word: string, tool: number, amount: number): void {
  let of = holders.get(word);
  if (of === undefined) holders.set(word, (of = { tools: [], amounts: [] }));
  of.tools.push(tool);
  of.amounts.push(amount);
}

/** How much of each word a tool holds, by field weight and length. */
function toAmounts(text: ToolText, lengths: readonly number[]): ReadonlyMap<string, number> {
  const amounts = new Map<string, number>();
  for (const [field, words] of text.entries()) {
    const amount = amountOf(field, words, lengths);
    const counts = new Map<string, number>();
    for (const word of words) {
      const count = (counts.get(word) ?? 0) + 1;
      counts.set(word, count);
      if (count <= MAX_REPEATS[field]!) amounts.set(word, (amounts.get(word) ?? 0) + amount);
    }
  }
  return amounts;
}

/** How much one occurrence of a word in a field counts. */
function amountOf(field: number, { length }: readonly string[], lengths: readonly number[]): number {
  const share = LENGTH_SHARES[field]!;
  return WEIGHTS[field]! / (1 - share + (share * length) / lengths[field]!);
}

function gainOf(amount: number, rarity: number): number {
  return (rarity * amount * (SATURATION + 1)) / (amount + SATURATION);
}

function pairGainOf(words: readonly string[], pairs: WordPairs, amount: number): number {
  const found = new Map<string, number>();
  const length = Math.min(words.length, MAX_PAIRED) - 1;
  for (let at = 0; at < length; at += 1) {
    const gain = pairs.get(words[at]!)?.get(words[at + 1]!);
    if (gain !== undefined) found.set(`${words[at]} ${words[at + 1]}`, gain);
  }
  let sum = 0;
  for (const gain of found.values()) sum += gain;
  return sum * Math.min(amount, 1);
}

/** The words of a tool by where they stand. */
type ToolText = readonly [name: readonly string[], description: readonly string[], parameters: readonly string[]];

/** The depth to which parameters are read. Deeper ones describe the tool's input, not its purpose. */
const MAX_DEPTH = 5;
/** How much of the texts of one field is read, in characters. */
const MAX_CHARS = 8_000;

/** Reads the name, the description, and the names, descriptions and allowed values of the parameters. */
export function readToolText({ name, description, parameters }: ToolDefinition): ToolText {
  const texts: string[] = [];
  let chars = 0;
  const add = (text: unknown): void => {
    if (typeof text !== "string" || chars > MAX_CHARS) return;
    texts.push(text);
    chars += text.length + 1;
  };
  const collect = (schema: unknown, depth: number): void => {
    if (typeof schema !== "object" || schema === null || depth > MAX_DEPTH || chars > MAX_CHARS) return;
    const { properties, items, description: words, enum: allowed, anyOf, oneOf, allOf } = schema as JsonSchema;
    if (depth > 1) add(words);
    if (Array.isArray(allowed)) allowed.forEach(add);
    for (const [key, value] of Object.entries(properties ?? {})) {
      add(key);
      collect(value, depth + 1);
    }
    for (const one of [items, anyOf, oneOf, allOf].flat()) collect(one, depth + 1);
  };
  collect(parameters, 1);
  return [name, description, texts.join(" ")].map((text) => toSearchWords(text.slice(0, MAX_CHARS))) as never;
}
