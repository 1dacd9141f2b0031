import { createToolRegistry, createTranscript, defineTool } from "@dispatch/tools-interface";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { DenoRuntime } from "./deno/index.ts";
import { createCodeTool, registerCodeTool } from "./index.ts";

const runtime = new DenoRuntime();
afterAll(() => runtime.close());

const tool = (name: string, description = `The tool ${name}.`) =>
  defineTool({ name, description, parameters: z.object({}), execute: (_, run) => `${name} for ${run.caller}` });
const declared = (text: string) => text.match(/(?<=declare function )\w+/g);
const run = (registry: ReturnType<typeof createToolRegistry>, code: string, more = {}) =>
  registry.dispatch({ id: "1", name: "execute_code", arguments: { code } }, more);

describe("tools for programs alone", () => {
  const registry = createToolRegistry()
    .register(tool("both"))
    .register(tool("rows"), { callers: ["program"] })
    .register(tool("ask_person"), { callers: ["model"] });
  registerCodeTool(registry, { runtime });

  test("are declared, callable in programs, and not told to models", async () => {
    const { description } = registry.get("execute_code");
    expect(declared(description)).toEqual(["both", "rows"]);
    expect(registry.toModelTools().map(({ name }) => name)).toEqual(["both", "ask_person", "execute_code"]);
    expect(String(await run(registry, "return await rows()"))).toBe("Returned: rows for program");
    expect(String(await run(registry, "return await describeTool('rows')"))).toContain("declare function rows(");
    expect(String(await run(registry, "return await describeTool('person')"))).not.toContain("ask_person(");
  });

  test("and those for models alone are out of a program's reach, whatever it calls", async () => {
    const bare = await run(registry, "return await __callTool__('ask_person', {})");
    expect(String(bare)).toContain("Cannot call ask_person: it is for models only");
    expect(String(await run(registry, "return typeof ask_person"))).toBe("Returned: undefined");
  });
});

describe("createCodeTool() with a registry of its own", () => {
  const programs = createToolRegistry().register([tool("rows"), tool("sums")]);
  const registry = createToolRegistry().register([tool("secret"), createCodeTool({ runtime, registry: programs })]);

  test("declares its tools, which programs can call, recorded under their program", async () => {
    const transcript = createTranscript();
    expect(declared(registry.get("execute_code").description)).toEqual(["rows", "sums"]);
    const result = await run(registry, "return [await rows(), await sums()]", { transcript });
    expect(String(result)).toBe('Returned: ["rows for program","sums for program"]');
    expect(transcript.entries.map(({ name, parentCallId }) => [name, parentCallId])).toEqual([
      ["execute_code", undefined],
      ["rows", "1"],
      ["sums", "1"],
    ]);
  });

  test("keeps the tools of the model's registry out of programs", async () => {
    expect(String(await run(registry, "return await __callTool__('secret', {})"))).toContain(
      'Cannot find tool "secret"',
    );
  });
});

test("a part of a registry that runs programs holds all that they can call", async () => {
  const all = createToolRegistry().register([tool("safe"), tool("unsafe")]);
  registerCodeTool(all, { runtime });
  const part = all.without("unsafe");
  expect(String(await run(part, "return await safe()"))).toBe("Returned: safe for program");
  expect(String(await run(part, "return await unsafe()"))).toContain('Cannot find tool "unsafe"');
});

test("the description of 100 tools names all of them", () => {
  const registry = createToolRegistry().register(
    Array.from({ length: 100 }, (_, at) => tool(`look_up_thing_${at}`, "Looks a thing up. ".repeat(20))),
  );
  const { description } = createCodeTool({ runtime, registry });
  for (let at = 0; at < 100; at += 1) expect(description).toMatch(new RegExp(String.raw`\blook_up_thing_${at}\b`));
  expect(declared(description)?.length).toBeGreaterThan(20);
});
