import { afterAll, describe, expect, test } from "vitest";
import { DenoRuntime } from "../deno-runtime.ts";
import { CLOSED_MODULES, DEFAULT_EXPORTS, importMapUrl } from "./closed-modules.ts";

const runtime = new DenoRuntime({ prewarm: 0 });
afterAll(() => runtime.close());

const answer = async (code: string): Promise<unknown> => {
  const { value, error } = await runtime.execute({ code, callTool: async () => 0 });
  return error ?? value;
};

describe("CLOSED_MODULES", () => {
  test("names every export of each module", async () => {
    const missing = await answer(`const missing = [];
for (const name of ${JSON.stringify(Object.keys(CLOSED_MODULES))}) {
  const all = await import("node:" + name);
  for (const key of Object.keys(process.getBuiltinModule("node:" + name))) if (!(key in all)) missing.push(name + "." + key);
}
return missing;`);
    expect(missing).toEqual([]);
  });

  test("is not got round by an address that begins as the harness's own", async () => {
    const { imports } = JSON.parse(decodeURIComponent(importMapUrl().replace("data:application/json,", "")));
    const address = `${imports[DEFAULT_EXPORTS]}export*as%20real%20from"node:vm";`;
    for (const url of [address, `${address}#/`, `${imports[DEFAULT_EXPORTS]}#x`]) {
      const found = await answer(`const found = await import(${JSON.stringify(url)});
return (found.real ?? found.vm).Script === process.getBuiltinModule("node:vm").Script;`);
      expect(found).toBe(true);
    }
  });

  test("leaves what programs use", async () => {
    const left = await answer(`import vm, { Script, compileFunction } from "node:vm";
import { serialize, deserialize, getHeapStatistics } from "node:v8";
import { createRequire, builtinModules } from "node:module";
class Sum extends Script { of(b: number) { return this.runInNewContext({ b }); } }
const context = vm.createContext({ b: 4 });
return [
  new Script("1 + 1").runInThisContext(), new Sum("1 + b").of(1), vm.runInContext("b", context), vm.runInNewContext("b", { b: 5 }), vm.runInThisContext("6", "x.js"),
  compileFunction("return a + 1", ["a"])(6), vm.createScript("8") instanceof Script, deserialize(serialize(new Map([[1, new Uint8Array(2)]]))).size,
  getHeapStatistics().total_heap_size > 0, createRequire("file:///x.js")("path").sep, builtinModules.length > 50,
];`);
    expect(left).toEqual([2, 2, 4, 5, 6, 7, true, 1, true, "/", true]);
  });

  test("says what a program used in vain", async () => {
    for (const code of [
      `import { setFlagsFromString } from "node:v8";\nsetFlagsFromString("--x");`,
      `return require("node:v8").setFlagsFromString("--x");`.replace("require", "process.getBuiltinModule"),
    ])
      expect(await answer(code)).toMatchObject({
        kind: "runtime",
        message: expect.stringMatching(/^TypeError: Using setFlagsFromString of node:v8: not available here/),
      });
  });
});

describe("importMapUrl()", () => {
  test("is short, for the command line of Windows", () => {
    expect(importMapUrl().length).toBeLessThan(4_000);
  });
});
