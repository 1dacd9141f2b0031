import { describe, expect, test } from "vitest";
import { KeptOutputs } from "./kept-output.ts";

const idOf = (note: string): string => /"(\w+)"/.exec(note)?.[1] ?? "";

describe("KeptOutputs", () => {
  test("answers an output by its id", () => {
    const kept = new KeptOutputs();
    const id = idOf(kept.keep({ output: "a", value: undefined }, ""));
    expect(kept.reader.answer([id])).toEqual({ printed: "a", returned: null });
  });

  test("lets the oldest go, never the last", () => {
    const kept = new KeptOutputs();
    const keep = (chars: number): string => idOf(kept.keep({ output: "x".repeat(chars), value: null }, ""));
    const [first, second, third] = [keep(9_000_000), keep(6_000_000), keep(20_000_000)];
    for (const gone of [first, second]) expect(() => kept.reader.answer([gone])).toThrow(/kept no longer/);
    expect(kept.reader.answer([third])).toMatchObject({ returned: null });
  });

  test("names the function as it is called beside the tools", () => {
    expect(new KeptOutputs().keep({ output: "", value: 1 }, "type readOutput = 1;\n")).toContain("await readOutput2(");
  });
});
