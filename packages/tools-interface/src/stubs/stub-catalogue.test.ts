import { expect, test } from "vitest";
import { z } from "zod";
import type { AnyTool } from "../call/tool.ts";
import { defineTool } from "../define/define-tool.ts";
import { createToolRegistry } from "../registry/create-tool-registry.ts";
import { generateStubs, type StubOptions } from "./generate-stubs.ts";

const parameters = z.object({ city: z.string().describe("Name of the city") });
const named = (name: string): AnyTool => defineTool({ name, description: "Looks up.", parameters, execute: () => "" });

/** A tool that counts how often its parameters are read, which building a stub does. */
function counted(tool: AnyTool) {
  const reads = { count: 0 };
  const spy = new Proxy(tool, {
    get(target, key) {
      if (key === "parameters") reads.count += 1;
      return Reflect.get(target, key, target) as unknown;
    },
  });
  return { tool: spy, reads };
}

const variants: readonly StubOptions[] = [
  {},
  { detail: "signatures" },
  { detail: "names", declarations: true },
  { maxTokens: 1 },
  { maxTokens: 1, hint: "Ask" },
  { exclude: ["look_up"] },
];

test("registry.generateStubs() builds each stub once when it is asked many times", () => {
  const { tool, reads } = counted(named("look_up"));
  const registry = createToolRegistry().register(tool);
  registry.toModelTools();
  reads.count = 0;
  registry.generateStubs({ detail: "signatures" });
  const built = reads.count;
  for (const options of variants) registry.generateStubs(options);
  registry.generateStub("look_up");
  expect(built).toBeGreaterThan(0);
  expect(reads.count).toBe(built);
});

test("registry.generateStubs() includes a tool that is registered after the first source", () => {
  const registry = createToolRegistry().register(named("look_up"));
  expect(registry.generateStubs()).not.toContain("look_again");
  registry.register(named("look_again"));
  expect(registry.generateStubs()).toContain("look_again");
  expect(registry.generateStub("look_again")).toContain("Name of the city");
});

test("registry.generateStubs() answers as generateStubs() does when it is asked again", () => {
  const tools = [named("look_up"), named("look_again")];
  const registry = createToolRegistry().register(tools);
  for (const options of [...variants, ...variants]) {
    expect(registry.generateStubs(options)).toBe(generateStubs(tools, options));
  }
});

test("registry.generateStubs() keeps its answers right when more sources are asked for than it keeps", () => {
  const tools = [named("look_up")];
  const registry = createToolRegistry().register(tools);
  for (const round of [0, 1]) {
    for (let index = 0; index < 40; index += 1) {
      const options = { detail: "names", hint: `Hint ${index}` } as const;
      expect(registry.generateStubs(options), `round ${round}`).toBe(generateStubs(tools, options));
    }
  }
});

test("registry.generateStubs() refuses a limit that is no number when the default has been asked for", () => {
  const registry = createToolRegistry().register([named("look_up")]);
  registry.generateStubs();
  registry.generateStubs({ maxTokens: Infinity });
  expect(() => registry.generateStubs({ maxTokens: Number.NaN })).toThrow(RangeError);
});
