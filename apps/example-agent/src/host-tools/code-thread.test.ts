import { afterEach, describe, expect, test } from "vitest";
import { CodeThread } from "./code-thread.ts";

const { signal } = new AbortController();
const file = { grammar: "javascript", text: "it();\nconst it = 1;\n", symbol: "it", maxHits: 10 } as const;
const lines = [
  { line: 0, defines: false },
  { line: 1, defines: true },
];

describe("CodeThread", () => {
  let thread = new CodeThread();
  afterEach(async () => {
    await thread.end();
    thread = new CodeThread();
  });

  test("is replaced when a file broke it", async () => {
    expect(await thread.look(file, signal)).toEqual(lines);
    await expect(thread.look({ ...file, grammar: "broken" as never }, signal)).rejects.toThrow(/broken/);
    expect(await thread.look(file, signal)).toEqual(lines);
  });

  test("ends in the middle of a file when nobody waits any more", async () => {
    const stop = new AbortController();
    const looking = thread.look({ ...file, text: "'".repeat(400_000) }, stop.signal);
    stop.abort();
    await expect(looking).rejects.toMatchObject({ name: "AbortError" });
    await expect(thread.look(file, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
    expect(await thread.look(file, signal)).toEqual(lines);
  });
});
