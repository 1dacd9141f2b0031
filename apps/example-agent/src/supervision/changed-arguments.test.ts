import fc from "fast-check";
import { expect, test } from "vitest";
import { changedArguments } from "./changed-arguments.ts";

const EDITS = [{ old_text: "a", new_text: "b" }];
const SENT = { path: "a", content: "x\ny", n: 5, edits: EDITS, o: { a: "x  y" } };

test.each<[object, readonly string[]]>([
  [{ n: "5" }, ["-n: 5", '+n: "5"']],
  [{ content: "x\ny\n" }, ["+  "]],
  [{ content: "x\ny\r" }, ["-  y", "+  y\uFFFD"]],
  [{ content: "x\u200B\ny" }, ["-  x", "+  x\uFFFD"]],
  [{ content: " x\ny" }, ["-  x", "+   x"]],
  [{ path: "a\u202E" }, ['-path: "a"', '+path: "a\uFFFD"']],
  [{ path: "a " }, ['-path: "a"', '+path: "a "']],
  [{ path: "\u0430" }, ['-path: "a"', '+path: "\u0430"']],
  [{ edits: [{ ...EDITS[0], replace_all: true }] }, ["+edits[0].replace_all: true"]],
  [{ edits: [{ command: "rm" }] }, ['-edits[0].old_text: "a"', '-edits[0].new_text: "b"', '+edits[0].command: "rm"']],
  [{ o: { a: "x y" } }, ['-o.a: "x  y"', '+o.a: "x y"']],
  [{ o: {} }, ['-o.a: "x  y"', "+o: {}"]],
  [{ n: null }, ["-n: 5", "+n: null"]],
  [{ "n: 6\nforce": true }, ['+"n: 6\\nforce": true']],
  [JSON.parse('{"__proto__":{"x":1}}') as object, ["+__proto__.x: 1"]],
])("changedArguments() shows the change %j, also beside another one", (change, expected) => {
  const changed = Object.defineProperties({ ...SENT }, Object.getOwnPropertyDescriptors(change));
  for (const after of [changed, Object.defineProperties({ ...changed, more: 1 }, {})]) {
    const own = Object.defineProperties(after, Object.getOwnPropertyDescriptors(change));
    const rows = changedArguments(SENT, own).filter((row) => /^[-+]/.test(row));
    expect(rows.filter((row) => row !== "+more: 1")).toEqual(expected);
  }
});

test("changedArguments() shows what is nested too deep for rows of its own as JSON", () => {
  const nested = (value: string) => JSON.parse(`${'{"a":['.repeat(1_000)}${value}${"]}".repeat(1_000)}`) as object;
  const rows = changedArguments(nested("1"), nested("2"));
  expect(rows).toHaveLength(2);
  expect(rows[1]).toMatch(/^\+a\[0\]\.a.*: .*2\]\}/);
});

test("changedArguments() has a row for every field that differs, and none where nothing does", () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", " ", "\n", "\r", "\t", "\u200B", '"', ":", "5") }),
    fc.string(),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(text, tie("any"), { maxKeys: 3 }),
    ),
  })).any;
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom("a", "b", "c.d", "e"), value),
      fc.dictionary(fc.constantFrom("a", "b"), value),
      (before, more) => {
        const after = { ...before, ...more };
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        const rows = changedArguments(before, after);
        expect(rows.length === 0).toBe(isSame);
        for (const name of Object.keys(more)) {
          if (JSON.stringify(before[name]) === JSON.stringify(after[name])) continue;
          expect(changedArguments(before, { ...before, [name]: after[name] }).length, name).toBeGreaterThan(0);
        }
        for (const row of rows) expect(row).toMatch(/^(?:[ +-][^\n\r\u200B]*|@@)$/);
      },
    ),
    { numRuns: 500 },
  );
});
