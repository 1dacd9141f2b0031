import fc from "fast-check";
import { expect, test } from "vitest";
import { PasteSplitter, type Typed } from "./paste-splitter.ts";

const [BEGIN, END] = ["\u001B[200~", "\u001B[201~"];

/** Keys that come one after the other, as one. */
function joined(typed: readonly Typed[]): readonly object[] {
  const all: { keys?: string; pasted?: string }[] = [];
  for (const one of typed) {
    const last = all.at(-1);
    if ("pasted" in one) all.push(one);
    else if (last?.keys === undefined) all.push({ keys: one.keys.toString("latin1") });
    else last.keys += one.keys.toString("latin1");
  }
  return all;
}

function split(bytes: Buffer, cuts: readonly number[]): readonly object[] {
  const splitter = new PasteSplitter();
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((one, other) => one - other);
  const typed = [...ends, bytes.length].flatMap((end, index, all) =>
    splitter.add(bytes.subarray(all[index - 1] ?? 0, end)),
  );
  return joined([...typed, ...splitter.flush()]);
}

test("PasteSplitter finds the same pastes and keys, however the bytes are cut", () => {
  const keys = fc.string({ unit: fc.constantFrom("a", "\r", "\u001B", "[", "2", "0", "é") });
  const pasted = fc.string({ unit: "binary" }).map((text) => text.replaceAll(/[\u001B\r]/g, "").toWellFormed());
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, pasted)), keys, fc.array(fc.nat()), (parts, last, cuts) => {
      const text = parts.map(([typed, paste]) => `${typed}${BEGIN}${paste}${END}`).join("") + last;
      const bytes = Buffer.from(text);
      // Ctrl-C that comes alone ends a paste.
      const safe = cuts.filter((cut) => bytes[cut % (bytes.length + 1)] !== 3 && bytes[(cut - 1) % bytes.length] !== 3);
      expect(split(bytes, safe)).toEqual(split(bytes, []));
      expect(split(bytes, []).flatMap((one) => ("pasted" in one ? [one.pasted] : []))).toEqual(
        parts.map(([, paste]) => paste),
      );
    }),
  );
});

test("PasteSplitter gives back the bytes that only look like the beginning of a mark", () => {
  const splitter = new PasteSplitter();
  expect(splitter.add(Buffer.from("a\u001B"))).toEqual([{ keys: Buffer.from("a") }]);
  expect(splitter.holdsKeys).toBe(true);
  expect(splitter.flush()).toEqual([{ keys: Buffer.from("\u001B") }]);
  expect([splitter.holdsKeys, splitter.flush()]).toEqual([false, []]);
});

test("PasteSplitter lets Ctrl-C out of a paste that never ends", () => {
  const splitter = new PasteSplitter();
  expect(splitter.add(Buffer.from(`${BEGIN}half\u0003half`))).toEqual([]);
  expect(splitter.add(Buffer.from("\u0003"))).toEqual([{ keys: Buffer.from("\u0003") }]);
});

test("PasteSplitter makes every end of a line a line feed", () => {
  expect(new PasteSplitter().add(Buffer.from(`${BEGIN}a\rb\r\nc\nd${END}`))).toEqual([{ pasted: "a\nb\nc\nd" }]);
});
