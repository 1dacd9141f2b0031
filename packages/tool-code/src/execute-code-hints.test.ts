import { tmpdir } from "node:os";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { DenoTypeChecker } from "./deno/error/deno-type-checker.ts";
import { DenoRuntime } from "./deno/index.ts";
import { findDeno } from "./deno/process/deno-binary.ts";
import { registerCodeTool, type CodeRuntime, type TypeChecker } from "./index.ts";

const runtime = new DenoRuntime();
const checker = new DenoTypeChecker({ denoPath: findDeno(), tempDir: tmpdir(), timeoutMs: 60_000 });
const checked: string[] = [];
const both: CodeRuntime & TypeChecker = {
  execute: (execution) => runtime.execute(execution),
  close: () => runtime.close(),
  check: (program) => (checked.push(program.code), checker.check(program)),
};
afterAll(async () => {
  checker.close();
  await runtime.close();
});

const search = defineTool({
  name: "search",
  description: "Searches.",
  parameters: z.object({ query: z.string() }),
  output: z.object({ hits: z.array(z.string()) }),
  repair: "off",
  execute: ({ query }) => {
    if (query === "") throw new Error("Searching for nothing: say what for");
    return { hits: [query] };
  },
});
const run = async (code: string, options = {}): Promise<string> => {
  const registry = registerCodeTool(createToolRegistry().register(search), { runtime: both, ...options });
  return (await registry.dispatch("execute_code", { code })).toString();
};

describe("execute_code with a runtime that checks types", () => {
  test("says after a failure what the type checker says of it", async () => {
    expect(await run("const { hits } = await search({ query: 'x' });\nreturn hits.lenght.toFixed();")).toBe(
      "Running the program failed (runtime) at main.ts:2:20: TypeError: Cannot read properties of undefined (reading 'toFixed')\n2 | return hits.lenght.toFixed();\nThe type checker says:\n    main.ts:2:13: Property 'lenght' does not exist on type 'string[]'. Did you mean 'length'?\nCorrect the program and send it again",
    );
  });

  test("says so of a tool that refused its parameters", async () => {
    expect(await run("return await search({ qury: 'x' } as const);")).toMatch(
      /The type checker says:\n {4}main\.ts:1:23: .*'qury' does not exist/,
    );
  });

  test.each([
    ["a success", "const { hits } = await search({ query: 'x' }); return hits.lenght;"],
    ["an error of the program's own", "throw new Error(missing ?? 'x'); function missing() {}"],
    ["a tool that failed", "await search({ query: '' })"],
    ["syntax", "const = 1"],
  ])("does not ask it after %s", async (_, code) => {
    checked.length = 0;
    await run(code);
    expect(checked).toEqual([]);
  });

  test("shows the failure whatever happens to the hint", async () => {
    const odd = { ...both, check: () => Promise.reject(new Error("no")) };
    expect(await run("missing.x", { runtime: odd })).toContain("ReferenceError: missing is not defined");
  });

  test("does not ask it when it is switched off", async () => {
    checked.length = 0;
    expect(await run("missing.x", { typeHints: false })).not.toContain("type checker");
    expect(checked).toEqual([]);
  });
});
