import { describe, expect, test } from "vitest";
import { failure, success } from "../result/tool-result.ts";
import { describeArguments, describeResult, diffOf } from "./display.ts";

const edited = success("Edited a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n keep\n-one\n+uno\n");

describe("describeArguments()", () => {
  test.each([
    ['{"path":"a.txt","limit":3}', "path: a.txt, limit: 3"],
    [{ content: "a\nb\nc\n", edits: [{}, {}] }, "content: (3 lines), edits: 2 items"],
    ["{broken\n", "{broken"],
    [undefined, ""],
    [{ deep: { a: 1 } }, "deep: 1 field"],
    [["a", "b"], "2 items"],
    [{ "na\u001Bme": "\u001B[2J" }, "na�me: �[2J"],
  ])("tells %j as %j", (sent, line) => expect(describeArguments(sent)).toBe(line));
});

describe("describeResult()", () => {
  test("counts the lines of a diff, and those of a long text", () => {
    expect(describeResult(edited)).toBe("+1 -1 lines");
    expect(describeResult(success("a\nb\nc"))).toBe("3 lines");
    expect(describeResult(success("a\nb"))).toBe("a b");
    expect(describeResult(success('Written: {"label":"x","blocks":[1,2]}'))).toBe("Written: label: x, blocks: 2 items");
    expect(describeResult(success('{"half'))).toBe('{"half');
    expect(describeResult(failure("Cannot read it: gone\nmore"))).toBe("Cannot read it: gone");
  });
});

describe("diffOf()", () => {
  test("takes the changes without the heads, of a success alone", () => {
    expect(diffOf(edited)).toEqual(["@@ -1,2 +1,2 @@", " keep", "-one", "+uno"]);
    expect(diffOf(failure("@@ -1 +1 @@\n-a"))).toEqual([]);
    expect(diffOf(success("no diff"))).toEqual([]);
  });
});
