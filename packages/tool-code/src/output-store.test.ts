import { describe, expect, test } from "vitest";
import { OutputStore } from "./output-store.ts";

const idOf = (note: string): string => /"(\w+)"/.exec(note)?.[1] ?? "";

describe("OutputStore", () => {
  test("answers an output by its id", () => {
    const outputs = new OutputStore();
    const id = idOf(outputs.store({ output: "a", value: undefined }, ""));
    expect(outputs.readOutput.call([id])).toEqual({ printed: "a", returned: "null" });
  });

  test("lets the oldest go, never the last", () => {
    const outputs = new OutputStore();
    const keep = (chars: number): string => idOf(outputs.store({ output: "x".repeat(chars), value: null }, ""));
    const [first, second, third] = [keep(9_000_000), keep(6_000_000), keep(20_000_000)];
    for (const gone of [first, second]) expect(() => outputs.readOutput.call([gone])).toThrow(/kept no longer/);
    expect(outputs.readOutput.call([third])).toMatchObject({ returned: "null" });
  });

  test("names the function as it is called beside the tools", () => {
    expect(new OutputStore().store({ output: "", value: 1 }, "type readOutput = 1;\n")).toContain("await readOutput2(");
  });
});
