import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { openMemory } from "../src/memory/open-memory.ts";
import type { Embedder } from "../src/search/embedder.ts";

/**
 * How long a search takes in an embedded memory of 10,000 passages, by words, or with `DISPATCH_READ_HYBRID=1` by words and
 * vectors of 384 dimensions, which cost next to nothing to make. The texts are made up: words by Zipf's law, some topics, 25
 * to 55 words each; a query is six words of one text and two of the most frequent. `DISPATCH_READ_PASSAGES` or the arguments
 * name other sizes, such as 100000, which takes some minutes to build. A memory that was built is kept in the directory for
 * temporary files. Prints one line a figure: `METRIC name value unit`.
 */
const named = process.env["DISPATCH_READ_PASSAGES"]?.split(",") ?? process.argv.slice(2);
const USUAL = 10_000;
const sizes = named.length > 0 ? named.map(Number) : [USUAL];
const WARM_UP = 20;
const READS = 200;
const WORDS = 20_000;
const TOPICS = 200;
/** Number of writes under way at a time. */
const AT_ONCE = 500;
/** Maximum time of a build: a memory that takes longer is not measured. */
const MAX_BUILD_MS = 10 * 60_000;
const DIMENSIONS = 384;
/** Each word has some dimensions, by its letters. */
const embedder: Embedder = {
  id: "words of the bench",
  dimensions: DIMENSIONS,
  batch: 256,
  embed: async (texts) => texts.map(toVector),
};
const isHybrid = process.env["DISPATCH_READ_HYBRID"] === "1";
const options = { embedder: isHybrid ? embedder : "none" } as const;
const kind = isHybrid ? "read_hybrid" : "read";

for (const size of sizes) {
  const home = join(tmpdir(), `dispatch-memory-read-7-${kind}-${size}`);
  if (!existsSync(home)) await build(home, size);
  const { manager, close, settled } = await openMemory(home, options);
  await settled();
  const random = createRandom(7);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  let processor = process.cpuUsage();
  let first = 0;
  for (let n = 0; n < WARM_UP + READS; n++) {
    const at = Math.floor(random() * size);
    const query = toQuery(at, random);
    if (n === WARM_UP) {
      loop.enable();
      processor = process.cpuUsage();
    }
    const start = performance.now();
    const hits = await manager.search(query);
    if (n >= WARM_UP) times.push(performance.now() - start);
    if (hits.degraded !== undefined) throw new Error(`a search was degraded: ${hits.degraded}`);
    if (hits[0]?.label === labelOf(at)) first++;
  }
  loop.disable();
  const { user, system } = process.cpuUsage(processor);
  await close();
  times.sort((a, b) => a - b);
  const suffix = size === USUAL ? "" : `.${size / 1_000}k`;
  metric(`memory.${kind}.p50_ms${suffix}`, times[READS / 2] ?? Number.NaN, "ms");
  metric(`memory.${kind}.p95_ms${suffix}`, times[READS * 0.95] ?? Number.NaN, "ms");
  metric(`memory.${kind}.cpu_ms${suffix}`, (user + system) / 1_000 / READS, "ms");
  metric(`memory.${kind}.loop_block_ms${suffix}`, loop.max / 1e6, "ms");
  metric(`memory.${kind}.source_first${suffix}`, first / (WARM_UP + READS), "share");
}

async function build(home: string, size: number): Promise<void> {
  const draft = `${home}.${process.pid}`;
  const start = performance.now();
  mkdirSync(draft, { recursive: true });
  try {
    const { admin, settled, close } = await openMemory(draft, {
      ...options,
      limits: { blocks: size, totalChars: size * 1_000 },
    });
    for (let at = 0; at < size; at += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, size - at) }, (_, n) => at + n);
      await Promise.all(some.map((n) => admin.write({ label: labelOf(n), content: textOf(n), tier: "archival" })));
    }
    await settled();
    await close();
    const took = performance.now() - start;
    metric(`memory.build.${size / 1_000}k`, took / 1_000, "s");
    if (took > MAX_BUILD_MS) throw new Error(`building ${size} passages took ${Math.round(took / 1_000)} s`);
    renameSync(draft, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function toVector(text: string): readonly number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  for (const word of text.split(/\s+/u)) {
    const random = createRandom(
      Array.from(word).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) | 0, 7),
    );
    for (let n = 0; n < 8; n++) {
      const at = Math.floor(random() * DIMENSIONS);
      vector[at] = (vector[at] ?? 0) + random() - 0.5;
    }
  }
  return vector;
}

function labelOf(at: number): string {
  return `day${Math.floor(at / 50)}/note${at}`;
}

function textOf(at: number): string {
  return wordsOf(at).join(" ");
}

function wordsOf(at: number): readonly string[] {
  const random = createRandom(at + 1);
  const topic = Math.floor(random() * TOPICS);
  return Array.from({ length: 25 + Math.floor(random() * 30) }, () => {
    const rank = Math.floor(WORDS ** random());
    return wordOf(random() < 0.3 ? topic * 100 + (rank % 100) + 200 : rank);
  });
}

function toQuery(at: number, random: () => number): string {
  const words = wordsOf(at);
  const some = Array.from({ length: 6 }, () => words[Math.floor(random() * words.length)]);
  return ["what", "about", ...some, wordOf(1 + Math.floor(random() * 20)), wordOf(1 + Math.floor(random() * 20))].join(
    " ",
  );
}

/** A word that stemming leaves apart from others. */
function wordOf(rank: number): string {
  const syllables = ["ba", "ko", "mu", "ri", "ta", "ne", "lo", "vi", "sa", "du", "pe", "fo"];
  let word = "";
  for (let rest = rank + 12; rest > 0; rest = Math.floor(rest / 12)) word += syllables[rest % 12];
  return `${word}k`;
}

function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
