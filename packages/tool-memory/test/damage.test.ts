import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMemory } from "../src/memory/open-memory.ts";
import { MemoryError } from "../src/text/memory-error.ts";

/** Number of damaged copies that are asked; `DISPATCH_DAMAGED` asks more. */
const COPIES = Number(process.env["DISPATCH_DAMAGED"] ?? 42);
const SEED = Number(process.env["DISPATCH_DAMAGE_SEED"] ?? 1);
const NOTES = 150;
const PAGE = 4096;

let root: string;
let whole: Buffer;
let truth: readonly string[];
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "damage-"));
  const { manager, admin, close } = await openMemory(join(root, "memory"));
  await admin.write({ label: "persona", content: "I am Ada", tier: "core" });
  for (let n = 0; n < NOTES; n += 1) {
    const content = `${nameOf(n)} keeps ${n % 7} boats near ${nameOf(n + 1)} ${"and tells of the harbour ".repeat(n % 5)}`;
    await admin.write({ label: `people/${n}`, content, tier: n % 3 === 0 ? "archival" : "working" });
  }
  for (let n = 0; n < NOTES; n += 10) await admin.write({ label: `people/${n}`, content: `${nameOf(n)} has moved` });
  await manager.write({ label: "persona", content: "I am Eve" });
  await close();
  whole = readFileSync(join(root, "memory", "memory.db"));
  truth = await answersOf(join(root, "memory"));
}, 60_000);
afterAll(() => rmSync(root, { recursive: true }));

/** A word of its own for each note. */
function nameOf(n: number): string {
  return `${"bdfgklmnprst"[n % 12]}${"aeiou"[n % 5]}${"klmnrs"[n % 6]}${"aeiou"[(n + 2) % 5]}${String.fromCodePoint(97 + (n % 26), 97 + Math.floor(n / 26))}`;
}

/** All that a memory answers. An error of its own is the answer `damaged`. */
async function answersOf(directory: string): Promise<readonly string[]> {
  const answers: string[] = [];
  const ask = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      answers.push(JSON.stringify(await work()));
    } catch (error) {
      if (!MemoryError.isInstance(error)) throw error;
      answers.push("damaged");
    }
  };
  const memory = await openMemory(directory).catch((error: unknown) => error);
  if (MemoryError.isInstance(memory)) return ["damaged"];
  if (!("manager" in (memory as object))) throw memory;
  const { manager, admin, renderCore, close } = memory as Awaited<ReturnType<typeof openMemory>>;
  for (let n = 0; n < NOTES; n += 6) await ask(() => manager.search(nameOf(n)));
  for (let n = 0; n < NOTES; n += 6) await ask(() => manager.get(`people/${n}`));
  await ask(() => manager.search("boats near the harbour", { limit: 50 }));
  await ask(() => manager.list());
  await ask(() => admin.pending());
  await ask(() => admin.history());
  await ask(() => renderCore());
  await close().catch(() => undefined);
  return answers;
}

/** A generator of numbers below 1, the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function whereDiffer(copy: number, at: number, answer: string, wanted: string): string {
  const first = Array.from(answer).findIndex((char, place) => char !== wanted[place]);
  const from = Math.max(first === -1 ? answer.length - 40 : first - 40, 0);
  return `copy ${copy}, question ${at}: ${answer.slice(from, from + 80)} for ${wanted.slice(from, from + 80)}`;
}

type Damage = (bytes: Buffer, next: () => number) => Buffer;

const pageIn = (bytes: Buffer, next: () => number): number => Math.floor((next() * bytes.length) / PAGE) * PAGE;
const damages: Readonly<Record<string, Damage>> = {
  "a bit": (bytes, next) => {
    const at = Math.floor(next() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(next() * 8));
    return bytes;
  },
  "some bytes": (bytes, next) => {
    const at = Math.floor(next() * bytes.length);
    for (let n = 0; n < 16; n += 1) bytes[at + n] = Math.floor(next() * 256);
    return bytes;
  },
  "a letter of a text": (bytes, next) => {
    const letters = [...bytes.keys()].filter((at) => /[a-z]/.test(String.fromCodePoint(bytes[at] ?? 0)));
    const at = letters[Math.floor(next() * letters.length)] ?? 0;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  },
  "a page of zeros": (bytes, next) => {
    const at = pageIn(bytes, next);
    return bytes.fill(0, at, at + PAGE);
  },
  "half a page of zeros": (bytes, next) => {
    const at = pageIn(bytes, next);
    return bytes.fill(0, at + PAGE / 2, at + PAGE);
  },
  "two pages exchanged": (bytes, next) => {
    const [one, other] = [pageIn(bytes, next), pageIn(bytes, next)];
    const kept = Buffer.from(bytes.subarray(one, one + PAGE));
    bytes.copy(bytes, one, other, other + PAGE);
    kept.copy(bytes, other);
    return bytes;
  },
  "the end cut off": (bytes, next) => bytes.subarray(0, Math.floor(next() * bytes.length)),
};

test.each(Object.entries(damages))(
  "a store with %s damaged answers as it was written, or says that it is damaged",
  async (name, damage) => {
    const next = random(SEED * 1_000 + name.length);
    const wrong: unknown[] = [];
    for (let copy = 0; copy < COPIES / Object.keys(damages).length; copy += 1) {
      const bytes = damage(Buffer.from(whole), next);
      const directory = mkdtempSync(join(root, "copy-"));
      writeFileSync(join(directory, "memory.db"), bytes);
      const answers = await answersOf(directory);
      rmSync(directory, { recursive: true });
      answers.forEach((answer, at) => {
        if (answer !== "damaged" && answer !== truth[at]) wrong.push(whereDiffer(copy, at, answer, truth[at] ?? ""));
      });
    }
    expect(wrong).toEqual([]);
  },
);

test.each([
  ["the format of its schema", 47],
  ["the encoding of its texts", 59],
])("a store whose header has another number for %s says that it is damaged", async (_, at) => {
  const directory = mkdtempSync(join(root, "header-"));
  const bytes = Buffer.from(whole);
  bytes[at] = 16;
  writeFileSync(join(directory, "memory.db"), bytes);
  await expect(openMemory(directory)).rejects.toMatchObject({ code: "memory_damaged" });
});
