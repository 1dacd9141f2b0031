import { createToolRegistry } from "@dispatch/tools-interface";
import { afterAll, describe, expect, test } from "vitest";
import { DenoRuntime } from "./deno/index.ts";
import { createProgramValues, registerCodeTool, type ProgramValues } from "./index.ts";

const runtime = new DenoRuntime();
afterAll(() => runtime.close());

function program(values: ProgramValues | ((context: unknown) => ProgramValues)) {
  const registry = registerCodeTool(createToolRegistry(), { runtime, values });
  return async (code: string, context?: object) =>
    (await registry.dispatch("execute_code", { code }, { ...(context && { context }) })).toString();
}

describe("values of programs", () => {
  test("are there for later programs, by name", async () => {
    const values = createProgramValues();
    const run = program(values);
    await run("await keepValue('rows', new Set([{ id: 1 }, { id: 2 }]));");
    expect(await run("const rows = await keptValue('rows');\nreturn rows.length;")).toBe("Returned: 2");
    await run("await keepValue('rows', undefined); await keepValue('n', 5);");
    expect(values.entries()).toEqual([["n", 5]]);
    const later = program(createProgramValues({ entries: values.entries() }));
    expect(await later("keptValue('n')")).toBe("Returned: 5");
  });

  test("are copies, and of one conversation", async () => {
    const all = new Map<string, ProgramValues>();
    const run = program((context) => {
      const { user } = context as { user: string };
      const found = all.get(user) ?? createProgramValues();
      all.set(user, found);
      return found;
    });
    await run("await keepValue('a', 1);", { user: "x" });
    expect(await run("keptValue('a')", { user: "x" })).toBe("Returned: 1");
    expect(await run("keptValue('a')", { user: "y" })).toContain("no value of that name is kept, there are none");
  });

  test("have a limit, and names that are texts", async () => {
    const run = program(createProgramValues({ maxChars: 100 }));
    expect(await run("await keepValue('a', 'x'.repeat(90)); await keepValue('b', 'x'.repeat(90));")).toContain(
      "allowed are 100",
    );
    expect(await run("(await keptValue('a')).length")).toBe("Returned: 90");
    for (const name of ["", 5, null, "x".repeat(101)])
      expect(await run(`await keepValue(${JSON.stringify(name)} as any, 1)`)).toContain(
        "allowed is a text of 1 to 100",
      );
    await run("await keepValue('a', null);");
    for (const name of ["__proto__", "constructor"])
      expect(await run(`await keepValue("${name}", { a: 1 });\nreturn await keptValue("${name}");`)).toBe(
        'Returned: {"a":1}',
      );
  });

  test("are described only where there are some", () => {
    const described = (values?: ProgramValues) =>
      registerCodeTool(createToolRegistry(), { runtime, values }).get("execute_code").description;
    expect(described(createProgramValues())).toMatch(/keepValue\(name, value\).*keptValue\(name\)/);
    expect(described()).not.toContain("keepValue");
  });
});
