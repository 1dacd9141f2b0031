import { expect, test } from "vitest";
import { editBytes } from "./edit-bytes.ts";

const file = "class A {  \n    run() {\n        go();\t\n    }\n}\n";
const edit = (old_text: string, new_text: string, content = file) => {
  const { bytes, applied } = editBytes(Buffer.from(content), [{ old_text, new_text }], "Cannot edit");
  return [applied[0]?.tier, bytes.toString()];
};

test("editBytes() keeps the white space of lines that stay, and writes new lines as given", () => {
  expect(
    edit("class A {\n    run() {\n        go();\n    }", "class A {\n    walk() {\n        go();\n    } "),
  ).toEqual(["trailing_space", "class A {  \n    walk() {\n        go();\t\n    } \n}\n"]);
});

test("editBytes() indents new text by as much as the file is indented more or less", () => {
  expect(edit("run() {\n    go();\n}", "run() {\n    go();\n\n    stop();\n}")).toEqual([
    "indentation",
    "class A {  \n    run() {\n        go();\t\n\n        stop();\n    }\n}\n",
  ]);
  expect(edit("\t    run() {\n\t        go();\n", "\t    run() {\n\t      go2();\n")).toEqual([
    "indentation",
    "class A {  \n    run() {\n      go2();\n    }\n}\n",
  ]);
  expect(edit("run() {\r\n    go();\r\n}", "run() {\r\n    go2();\r\n}", file.replaceAll("\n", "\r\n"))).toEqual([
    "indentation",
    "class A {  \r\n    run() {\r\n        go2();\r\n    }\r\n}\r\n",
  ]);
});

test("editBytes() refuses new text that cannot lose as much indentation as the file has less", () => {
  expect(() => edit("\t    run() {\n\t        go();\n", "\t    run() {\n  go();\n")).toThrow(/less indentation/);
});

test("editBytes() leaves line numbers out of both texts or of the old one", () => {
  const result = ["line_numbers", "class A {  \n    run() {\n        stop();\n    }\n}\n"];
  expect(edit("1\t    run() {\n2\t        go();\n", "1\t    run() {\n2\t        stop();\n")).toEqual(result);
  expect(edit("1\t    run() {\n2\t        go();\n", "    run() {\n        stop();\n")).toEqual(result);
  expect(() => edit("1\t    run() {\n2\t        go();\n", "1\t    run() {\n        stop();\n")).toThrow(/some lines/);
});

test("editBytes() removes lines whole when new text is empty", () => {
  expect(edit("run() {\n    go();\n}\n", "")).toEqual(["indentation", "class A {  \n}\n"]);
  expect(edit("4\t}\n", "")[1]).toBe("class A {  \n    run() {\n        go();\t\n    }\n");
});

test("editBytes() refuses lines that differ in white space or quotes when nearer ones may have been changed", () => {
  const changed = "if (ready) {\n  start(it);\n  stop(all);\n}\n";
  const old = 'if (ready) {\n  start("it");\n  stop(all);\n}\n';
  const twins = {
    deeper: old.replaceAll(/^/gm, "  "),
    trailing: old.replaceAll(/$/gm, " "),
    quotes: old.replaceAll('"', "\u201d"),
    spaces: old.replace("stop(all)", "stop(\u00a0all)").replace("if (", "if\u00a0("),
  };
  for (const [kind, twin] of Object.entries(twins)) {
    const wanted = kind === "spaces" ? old.replace("stop(all)", "stop( all)") : old;
    for (const content of [`${changed}\n${twin}`, `${twin}\n${changed}`])
      expect(() => edit(wanted, "", content), kind).toThrow(/may be meant, nothing was changed.*\n- lines .*line \d+/);
  }
  const numbered = old.split("\n", 4).map((line, index) => `${index}\t${line}\n`);
  expect(() => edit(numbered.join(""), "", `${changed}\n${twins.trailing}`)).toThrow(/may be meant/);
});

test("editBytes() does not take lines without words for nearer ones", () => {
  const other = "function stop() {\n  halt();\n}\n";
  expect(edit("run() {\n    go();\n}\n", "", `${other}${file}`)[0]).toBe("indentation");
  expect(edit("run() {\n    go();\n}\n", "", `${file}}\n`)[0]).toBe("indentation");
});

const go = "func f() {\n\tif ok {\n\t\treturn 1\n\t}\n\t/**\n\t * Ends.\n\t */\n}\n";
const spaced = (text: string, width: number) => text.replaceAll("\t", " ".repeat(width));

test.each([2, 3, 4, 8])(
  "editBytes() finds lines with %i spaces for each tab, and writes new ones with tabs",
  (width) => {
    const old = spaced("\tif ok {\n\t\treturn 1\n\t}\n\t/**\n\t * Ends.\n", width);
    const now = spaced(
      "\tif ok {\n\t\tif no {\n\t\t\treturn 2\n\t\t}\n\t\treturn 1\n\t}\n\t/**\n\t * Ends it.\n",
      width,
    );
    const expected = go
      .replace("\t\treturn 1", "\t\tif no {\n\t\t\treturn 2\n\t\t}\n\t\treturn 1")
      .replace("Ends", "Ends it");
    expect(edit(old, now, go)).toEqual(["indentation", expected]);
    const crlf = (text: string) => text.replaceAll("\n", "\r\n");
    expect(edit(old, now, crlf(go))).toEqual(["indentation", crlf(expected)]);
  },
);

test.each([2, 3, 4, 8])(
  "editBytes() finds lines with a tab for each %i spaces, and writes new ones with spaces",
  (width) => {
    const own = spaced(go, width);
    expect(edit("\tif ok {\n\t\treturn 1\n\t}", "\tif ok {\n\t\tgo()\n\t\t\treturn 1\n\t}", own)).toEqual([
      "indentation",
      own.replace(spaced("\t\treturn 1", width), spaced("\t\tgo()\n\t\t\treturn 1", width)),
    ]);
  },
);

test("editBytes() exchanges no tabs and spaces where lines say little, differ in depth, or have both", () => {
  for (const old of [
    "        return 1",
    "    if ok {\n    return 1",
    "  if ok {\n        return 1\n",
    "    if ok {\n\t\treturn 1\n",
  ])
    expect(() => edit(old, "x", go), old).toThrow(/was not found/);
  const twins = `${go}${go}`;
  expect(() => edit("    if ok {\n        return 1\n", "x", twins)).toThrow(
    /leaving indentation aside, it is there 2 times/,
  );
  // The block that was meant was changed: another one is like it but for its indentation.
  const stale = `    if ok {\n        return one\n    }\n${go}`;
  expect(() => edit("    if ok {\n        return 1\n    }\n", "", stale)).toThrow(/may be meant/);
});
