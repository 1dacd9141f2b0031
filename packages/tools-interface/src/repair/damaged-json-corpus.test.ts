import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDamagedJson } from "./damaged-json.ts";

/** Inputs that found a fault, or come close to one, with their outcome. A new one becomes a line. */
const corpus = readFileSync(new URL("../../test/corpus/damaged-json.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly input: string; readonly value?: object; readonly reason?: string });

test.each(corpus)("readDamagedJson() reads or refuses $input as before", ({ input, value, reason }) => {
  const read = readDamagedJson(input);
  expect(read.reason).toBe(reason);
  if (read.reason === undefined) expect(JSON.parse(JSON.stringify(read.value))).toEqual(value);
  // A beginning of the text never gives more than the text: a part of a value is not taken for the whole.
  for (let end = 0; end < Math.min(input.length, 60); end += 1) {
    const cut = readDamagedJson(input.slice(0, end));
    if (cut.reason === undefined && value !== undefined) expect(value).toMatchObject(cut.value);
  }
});
