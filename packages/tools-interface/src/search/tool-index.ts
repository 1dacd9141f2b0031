import type { ToolDefinition } from "../call/tool.ts";
import { checkOptions } from "../error/check-options.ts";
import { toSearchWords } from "./search-words.ts";
import { synonymsOf } from "./synonyms.ts";
import { collectPostings, type WordPairs, type WordPostings } from "./word-postings.ts";

/** A tool that was found. */
export interface FoundTool {
  /** Name of the tool. */
  readonly name: string;
  /** How well it fits. Comparable within one search only; above 0. */
  readonly score: number;
}

/** Finds tools for a task. */
export interface ToolIndex {
  /**
   * The tools that fit a request, best first; those that fit alike in the order of the tools. Empty when no word of the
   * request, and no word of the same meaning, stands in any tool.
   *
   * @param query A request, a few words or a tool's name, in any script. The first 2,000 characters count.
   * @param options `limit`: how many at most, default 5. `exclude`: names of tools not to be found.
   * @throws {TypeError} For an option that there is not.
   */
  search(
    query: string,
    options?: { readonly limit?: number; readonly exclude?: readonly string[] },
  ): readonly FoundTool[];
}

/** The weight of a word of the same meaning, relative to the word itself. */
const SYNONYM_WEIGHT = 0.3;
/** The weight of two words side by side, relative to the words themselves. */
const PAIR_WEIGHT = 0.8;
/** How many of the best tools are looked through for such pairs. */
const PAIRED_TOOLS = 50;
/** The number of best tools that lend their words to the request, and the weight of the most telling of these. */
const LENDING_TOOLS = 3;
const LENT_WEIGHT = 0.2;

const MAX_QUERY_CHARS = 2_000;
/** How long the event loop is held at most while an index is made in slices, in milliseconds. */
const SLICE_MS = 5;

/**
 * Makes an index of tools, of `registry.toArray()` for instance: BM25F (Robertson, Zaragoza, Taylor: "Simple BM25 Extension
 * to Multiple Weighted Fields", 2004) over names, descriptions and parameters, with pairs of words and words of the same
 * meaning, times one plus the share of the tool's name that the request holds. The best tools lend the request their most
 * telling words (pseudo-relevance feedback, Rocchio 1971). Takes some 0.1 ms a tool once, and less than a millisecond a
 * search of 5,000 tools.
 *
 * @example
 * ```ts
 * const index = createToolIndex(registry.toArray());
 * const [best] = index.search("open an issue", { limit: 5 });
 * ```
 */
export function createToolIndex(tools: readonly ToolDefinition[]): ToolIndex {
  const steps = collectPostings(tools);
  for (;;) {
    const step = steps.next();
    if (step.done) return indexOf(tools, step.value);
  }
}

/**
 * Makes the same index in slices of some 5 ms, between which the event loop runs. For thousands of tools.
 *
 * @example
 * ```ts
 * const index = await createToolIndexInSlices(registry.toArray());
 * const found = index.search("open an issue");
 * ```
 */
export async function createToolIndexInSlices(tools: readonly ToolDefinition[]): Promise<ToolIndex> {
  const steps = collectPostings(tools);
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return indexOf(tools, step.value);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    until = performance.now() + SLICE_MS;
  }
}

function indexOf(tools: readonly ToolDefinition[], postings: WordPostings): ToolIndex {
  const names = tools.map(({ name }) => name);
  const add = (sums: Float64Array, words: WordWeights, from: WordPostings["gains"]): void => {
    for (const [word, weight] of words) {
      const found = from.get(word);
      if (found === undefined) continue;
      const { tools: of, amounts } = found;
      for (let at = 0; at < of.length; at += 1) sums[of[at]!]! += weight * amounts[at]!;
    }
  };
  return {
    search(query, options = {}) {
      checkOptions("search tools", options, { limit: true, exclude: true });
      const { limit = 5, exclude = [] } = options;
      const asked = toSearchWords(query.slice(0, MAX_QUERY_CHARS));
      const [gains, nameShares] = [new Float64Array(names.length), new Float64Array(names.length)];
      const addAll = (words: WordWeights): Float64Array => {
        add(gains, words, postings.gains);
        add(nameShares, words, postings.nameShares);
        const scores = new Float64Array(names.length);
        for (let tool = 0; tool < scores.length; tool += 1) scores[tool] = gains[tool]! * (1 + nameShares[tool]!);
        return scores;
      };
      const words = toWeightedWords(asked);
      const first = addAll(words);
      const best = findBest(first, LENDING_TOOLS);
      const scores = best.length === 0 ? first : addAll(toLent(words, best, first, postings.tellingOf));
      const pairs = toPairs(asked, postings.rarityOf);
      if (pairs.size > 0)
        for (const tool of findBest(scores, PAIRED_TOOLS)) scores[tool]! += postings.pairGain(tool, pairs);
      for (let tool = 0; tool < scores.length; tool += 1) if (first[tool] === 0) scores[tool] = 0;
      for (const name of exclude) scores[names.indexOf(name)] = 0;
      return findBest(scores, limit).map((tool) => ({ name: names[tool]!, score: scores[tool]! }));
    },
  };
}

/** Words, and how much each counts. */
type WordWeights = ReadonlyMap<string, number>;

/** The words that stand side by side in a request, by the first one, with the weight of the two. */
function toPairs(words: readonly string[], rarityOf: (word: string) => number): WordPairs {
  const pairs = new Map<string, Map<string, number>>();
  for (let at = 0; at + 1 < words.length; at += 1) {
    const [one, next] = [words[at]!, words[at + 1]!];
    const of = pairs.get(one) ?? new Map<string, number>();
    pairs.set(one, of.set(next, (PAIR_WEIGHT * (rarityOf(one) + rarityOf(next))) / 2));
  }
  return pairs;
}

/**
 * The most telling words of the tools that fit a request best, and the weight of each beyond its weight in the request.
 */
function toLent(
  words: WordWeights,
  best: readonly number[],
  scores: Float64Array,
  tellingOf: WordPostings["tellingOf"],
): WordWeights {
  const lent = new Map<string, number>();
  for (const tool of best)
    for (const [word, gain] of tellingOf(tool))
      if (words.get(word) !== 1) lent.set(word, (lent.get(word) ?? 0) + (gain * scores[tool]!) / scores[best[0]!]!);
  const most = Math.max(...lent.values());
  for (const [word, amount] of lent)
    lent.set(word, Math.max((LENT_WEIGHT * amount) / most - (words.get(word) ?? 0), 0));
  return lent;
}

/** The places of the highest scores above 0, highest first; of equal ones the first. */
function findBest(scores: Float64Array, limit: number): readonly number[] {
  const best: number[] = [];
  for (let tool = 0; tool < scores.length; tool += 1) {
    const score = scores[tool]!;
    if (score <= 0 || (best.length >= limit && score <= scores[best.at(-1)!]!)) continue;
    best.splice(best.findLastIndex((other) => scores[other]! >= score) + 1, 0, tool);
    if (best.length > limit) best.pop();
  }
  return best;
}

/** Each word once; synonyms count less, and nothing where they are words of the query themselves. */
function toWeightedWords(words: readonly string[]): WordWeights {
  const weights = new Map(words.map((word) => [word, 1]));
  for (const word of words)
    for (const other of synonymsOf(word)) if (!weights.has(other)) weights.set(other, SYNONYM_WEIGHT);
  return weights;
}
