import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FilesError } from "../error/files-error.ts";
import { parsePatch, type PatchChange } from "./parse-patch.ts";

interface Kept {
  readonly input: string;
  readonly changes?: readonly PatchChange[];
  readonly refused?: string;
}

/** Patches that found a fault, or come close to one, with their outcome. A new one becomes a line. */
const corpus = readFileSync(new URL("../../test/corpus/patches.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Kept);

test.each(corpus)("parsePatch() reads or refuses $input as before", ({ input, changes, refused }) => {
  const read = (text: string): unknown => JSON.parse(JSON.stringify(parsePatch(text)));
  if (refused === undefined) {
    expect(read(input)).toEqual(changes);
    expect(read(input.replaceAll(/\r?\n/g, "\r\n"))).toEqual(changes);
  } else {
    expect(() => parsePatch(input)).toThrow(FilesError);
    expect(() => parsePatch(input)).toThrow(refused);
  }
});
