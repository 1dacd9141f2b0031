import { toSearchTerms } from "../text/search-terms.ts";
import type { Embedder } from "./embedder.ts";

/** With 512, recall on LoCoMo is the same and a search takes twice the time. */
const DIMENSIONS = 256;

/** Weights of a stem, of two adjacent stems, and of all of a stem's trigrams together; fitted on two conversations of LoCoMo. */
const WEIGHTS = { stem: 1, pair: 0.3, trigrams: 0.6 } as const;

/**
 * Makes vectors of hashed stems, pairs of stems and character trigrams ("Feature Hashing for Large Scale Multitask Learning",
 * Weinberger et al., 2009): no model weights, no network, some microseconds a text. Texts are similar if they share words or
 * parts of words; synonyms are unknown. English stems, any script.
 */
export function hashEmbedder(): Embedder {
  return Object.freeze({
    id: "hash-256-1",
    dimensions: DIMENSIONS,
    instant: true,
    weight: 0.3,
    floor: 0.2,
    batch: 256,
    embed: async (texts: readonly string[]) => texts.map(toVector),
  });
}

function toVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const add = (feature: string, weight: number): void => {
    const hash = hashOf(feature);
    const at = hash % DIMENSIONS;
    vector[at] = (vector[at] ?? 0) + (hash >>> 31 === 1 ? weight : -weight);
  };
  const stems = toSearchTerms(text);
  const counts = new Map<string, number>();
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  for (const [stem, count] of counts) {
    add(`w${stem}`, WEIGHTS.stem * (1 + Math.log(count)));
    const framed = `^${stem}$`;
    const weight = WEIGHTS.trigrams / Math.sqrt(Math.max(framed.length - 2, 1));
    for (let at = 0; at + 3 <= framed.length; at++) add(`t${framed.slice(at, at + 3)}`, weight);
  }
  for (let at = 1; at < stems.length; at++) add(`p${stems[at - 1]} ${stems[at]}`, WEIGHTS.pair);
  return normalize(vector);
}

/** FNV-1a with the finalizer of MurmurHash3: the low bits of FNV-1a alone are too uneven for a remainder. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum) || 1;
  return vector.map((value) => value / length);
}
