import { expect, test } from "vitest";
import { findLines } from "./edit-match.ts";

const text = "if (ready) {  \n\tstart(now);\n}\n\n    if (late) {\n      stop(now);\n    }\nlast line  ";
const pieces = (wanted: string) => {
  const { trailing, indented } = findLines(text, 0, wanted);
  return {
    trailing: trailing.map(({ from, to }) => text.slice(from, to)),
    indented: indented.map(({ from, to, indent }) => [text.slice(from, to), indent.deeper, indent.by]),
  };
};

test("findLines() finds whole lines with other white space at their ends", () => {
  expect(pieces("if (ready) {\n\tstart(now); \n}")).toEqual({
    trailing: ["if (ready) {  \n\tstart(now);\n}"],
    indented: [],
  });
  expect(pieces("}\t\n  \n    if (late) {").trailing).toEqual(["}\n\n    if (late) {"]);
  expect(pieces("last line").trailing).toEqual(["last line  "]);
});

test("findLines() finds lines with other indentation when all differ by the same", () => {
  const found = "    if (late) {\n      stop(now);\n    }";
  expect(pieces("if (late) {\n  stop(now);\n}").indented).toEqual([[found, true, "    "]]);
  expect(pieces("\t    if (late) {\n\t      stop(now);\n\t    }\n").indented).toEqual([[`${found}\n`, false, "\t"]]);
  expect(pieces("if (late) {\n    stop(now);\n}")).toEqual({ trailing: [], indented: [] });
});

test("findLines() takes no text of less than two lines with words for one of other indentation", () => {
  expect(pieces("  last line").indented).toEqual([]);
  expect(pieces("{\n}").indented).toEqual([]);
});

test("findLines() finds neither parts of lines, nor other spacing within them, nor blank lines alone", () => {
  for (const wanted of [
    "start",
    "if (ready)  {",
    "\n  \n",
    " ",
    "}\n\n\nif (late) {",
    "last line\n",
    "a\nb\nif (ready) {",
  ])
    expect(pieces(wanted), JSON.stringify(wanted)).toEqual({ trailing: [], indented: [] });
});

test("findLines() finds all places, and nothing before where it is to begin", () => {
  const twice = "\ufeffone two  \nx\none two\t\n";
  expect(findLines(twice, 1, "one two").trailing).toEqual([
    { from: 1, to: 10 },
    { from: 13, to: 21 },
  ]);
});
