import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hostStubs } from "./host-function.ts";
import { namedStubs } from "./named-stubs.ts";

const registry = createToolRegistry();
for (const name of ["find", "find_all", "3d-view", "delete", "a.b"])
  registry.register(
    defineTool({
      name,
      description: `${name}. */ async function trap() {\n  return 1;\n}`,
      parameters: z.object({ query: z.string(), "odd key": z.array(z.object({ a: z.string() })).optional() }),
      output: z.object({ text: z.string() }),
      execute: () => ({ text: "" }),
    }),
  );
const stubs =
  registry.generateStubs({ detail: "signatures" }) +
  hostStubs([{ name: "describeTool", parameters: "[name?: string]", returns: "string", call: () => "" }], "");
const names = (code: string): readonly string[] =>
  [...namedStubs(code, stubs).matchAll(/^function (\S+?)\(/gm)].map(([, name = ""]) => name);
const all = [...stubs.matchAll(/^async function (\S+?)\(/gm)].map(([, name = ""]) => name);

describe("namedStubs()", () => {
  test("keeps the functions that a program names", () => {
    expect(all.length).toBe(6);
    expect(names("return 1;")).toEqual([]);
    expect(names("await find({ query: 'x' })")).toEqual(["find"]);
    expect(names("[find_all].map((f) => f({}))")).toEqual(["find_all"]);
    expect(names("`${await describeTool()}`")).toEqual(["describeTool"]);
    for (const name of all) expect(names(`const f = ${name};`)).toEqual([name]);
  });

  test("keeps all when a name may be hidden", () => {
    expect(names("await eval('fi' + 'nd')({})")).toEqual(all);
    expect(names(String.raw`await \u0066ind({})`)).toEqual(all);
  });

  test("writes JavaScript that calls as before", async () => {
    const called: unknown[] = [];
    const bodies = namedStubs("eval", stubs);
    expect(bodies).not.toMatch(/trap|string/);
    const call = async (name: string, params: unknown): Promise<unknown> => called.push([name, params]);
    // oxlint-disable-next-line typescript/no-implied-eval -- it holds nothing but stubs
    const run = new Function("__callTool__", `${bodies}return [${all.join()}];`);
    for (const stub of run(call)) await stub({ query: "x" });
    expect(called).toEqual([
      ...["find", "find_all", "3d-view", "delete", "a.b"].map((name) => [name, { query: "x" }]),
      ["host:describeTool", [{ query: "x" }]],
    ]);
  });
});
