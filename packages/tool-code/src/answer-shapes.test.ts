import { afterAll, describe, expect, test } from "vitest";
import { FAILING_PROGRAMS } from "../test/failing-programs.ts";
import { hintShop } from "../test/hint-shop.ts";
import { AnswerShapes } from "./answer-shapes.ts";
import { DenoRuntime } from "./deno/index.ts";
import { registerCodeTool } from "./index.ts";
import { QuickJsRuntime } from "./quickjs/index.ts";

const failed = { kind: "runtime", message: "TypeError: x", stack: [] } as const;
const shapeOf = (answer: unknown): string => {
  const shapes = new AnswerShapes();
  shapes.add("t", answer);
  return shapes.explain(failed).join("\n");
};

describe("AnswerShapes", () => {
  test.each([
    [
      { a: 1, b: ["x"], c: null, d: true, e: undefined },
      "{ a: number, b: [string], c: null, d: boolean, e: undefined }",
    ],
    [[], "[]"],
    [{}, "{}"],
    [' {"a":1}', "string, perhaps JSON"],
    [[[[[[1]]]]], "[[[[[…]]]]]"],
    [{ "a b": 1, 'x"\n\u2028Returned: 1': 2 }, String.raw`{ "a b": number, "x\"\nReturned: 1": number }`],
  ])("shows %j without its values", (answer, shape) => {
    expect(shapeOf(answer)).toBe(`t: ${shape}`);
  });

  test("is short, whatever was answered", () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${"k".repeat(50)}${at}`, at]));
    expect(shapeOf(many).length).toBeLessThan(410);
    expect(shapeOf({ ["k".repeat(1_000_000)]: 1 }).length).toBeLessThan(100);
  });

  test("names the three tools that answered last, and nothing after another failure", () => {
    const shapes = new AnswerShapes();
    for (const tool of ["a", "b", "c", "d", "b"]) shapes.add(tool, 1);
    expect(shapes.explain(failed)).toEqual(["c: number", "d: number", "b: number"]);
    expect(shapes.explain({ ...failed, message: "Error: x" })).toEqual([]);
    expect(shapes.explain({ ...failed, kind: "tool" })).toEqual([]);
  });
});

describe.each([
  ["DenoRuntime", new DenoRuntime()],
  ["QuickJsRuntime", new QuickJsRuntime()],
])("a program that failed in %s", (_, runtime) => {
  afterAll(() => runtime.close());
  const registry = registerCodeTool(hintShop(), { runtime });

  test.each(FAILING_PROGRAMS)("is answered with what helps: $name", async ({ code, helped }) => {
    const result = await registry.dispatch("execute_code", { code });
    expect(result.success).toBe(false);
    expect(result.toString()).toMatch(helped ?? /failed \(runtime\)/);
    if (helped === undefined) expect(result.toString()).not.toContain("Tools answered");
  });
});
