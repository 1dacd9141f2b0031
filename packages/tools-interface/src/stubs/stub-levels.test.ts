import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type AnyTool } from "../index.ts";
import { typeErrors } from "./__fixtures__/type-check.ts";
import { generateStubs, type StubOptions } from "./generate-stubs.ts";

const tools = Array.from({ length: 12 }, (_, index): AnyTool => {
  const parameters = z.object({
    path: z.string().describe(`Where to look. ${"More on that. ".repeat(index % 5)}`),
    depth: z.int().min(0).default(index),
    only: z.enum(["files", "folders"]).optional(),
  });
  const description = `Looks number ${index} up. And says more of it, ${"at length ".repeat(index)}\n\nOn other lines.`;
  return defineTool({ name: `look_${index}`, description, parameters, execute: () => "" });
});
const named = (source: string) => source.match(/^(?:async|declare) function look_\d+\(/gm)?.length ?? 0;
const typed = (source: string) => source.match(/path: string/g)?.length ?? 0;
const noted = (source: string) => source.match(/Where to look/g)?.length ?? 0;
const tokens = (options: StubOptions) => Math.ceil(generateStubs(tools, options).length / 4);

describe("generateStubs() with less detail", () => {
  test("tells types and first sentences as signatures", () => {
    const source = generateStubs(tools, { detail: "signatures", hint: "Ask for look_help." });
    expect(source).toContain("\n// Without the descriptions of fields. Ask for look_help.\n");
    expect(source).toContain(
      '/** Looks number 3 up. */\nasync function look_3(params: { path: string; depth?: number; only?: "files" | "folders" }): Promise<unknown> {',
    );
    expect({ named: named(source), noted: noted(source) }).toEqual({ named: 12, noted: 0 });
  });

  test("tells names without types, in a form that code still compiles against", () => {
    const source = generateStubs(tools, { detail: "names" });
    expect(source).toContain(
      "/** Looks number 3 up. */\nasync function look_3(params: { [key: string]: unknown }): Promise<unknown> {",
    );
    expect(source).toContain("\n// Some functions stand here without their types. A call with parameters that do not");
    expect({ named: named(source), typed: typed(source) }).toEqual({ named: 12, typed: 0 });
    expect(typeErrors(`${source}\nvoid look_3({ path: "a" });`).size).toBe(0);
    expect(typeErrors(`${source}\n(await look_3({})).path;`).size).toBe(1);
  });

  test("says of nothing that it was left out when nothing was", () => {
    const plain = [
      defineTool({ name: "a", description: "A.", parameters: z.object({ a: z.string() }), execute: () => "" }),
    ];
    expect(generateStubs(plain, { detail: "signatures" })).toBe(generateStubs(plain));
  });
});

describe("generateStubs() with a limit", () => {
  test("tells all in full while that fits, then all as signatures", () => {
    const [full, signatures] = [tokens({}), tokens({ detail: "signatures" })];
    expect(generateStubs(tools, { maxTokens: full })).toBe(generateStubs(tools));
    expect(generateStubs(tools, { maxTokens: full - 1 })).toBe(generateStubs(tools, { detail: "signatures" }));
    expect(generateStubs(tools, { maxTokens: signatures })).toBe(generateStubs(tools, { detail: "signatures" }));
  });

  test("tells the first as signatures and the others as names when that is too much", () => {
    const source = generateStubs(tools, { maxTokens: tokens({ detail: "signatures" }) - 40 });
    expect(named(source)).toBe(12);
    expect(typed(source)).toBeGreaterThan(3);
    expect(typed(source)).toBeLessThan(12);
    const flags = [...source.matchAll(/function look_\d+\((.*)\):/g)].map(([, params]) => params?.includes("path"));
    expect(flags).toEqual(flags.toSorted((a, b) => Number(b) - Number(a)));
  });

  test("keeps every function that code may call, and leaves out declarations from the end", () => {
    expect(generateStubs(tools, { maxTokens: 1 })).toBe(generateStubs(tools, { detail: "names" }));
    const few = generateStubs(tools, { maxTokens: 180, declarations: true });
    expect(named(few)).toBeGreaterThan(1);
    expect(few).toContain(`// Functions without their types, ${12 - named(few)} more not shown. `);
    const none = generateStubs(tools, { maxTokens: 1, declarations: true, hint: "Ask." });
    expect(none).toBe("// Functions without their types, 12 more not shown. Ask.\n");
  });

  test("keeps to the limit whenever names fit, compiles, and tells no less when it may tell more", () => {
    const limit = fc.integer({ min: 1, max: tokens({}) + 10 });
    const option = fc.record({ declarations: fc.boolean(), detail: fc.constantFrom("full", "signatures", "names") });
    fc.assert(
      fc.property(limit, limit, option, (one, other, { declarations, detail }) => {
        const options = { declarations, detail } as const;
        const [less, more] = [one, other].toSorted((a, b) => a - b);
        const small = generateStubs(tools, { ...options, maxTokens: less ?? 1 });
        const large = generateStubs(tools, { ...options, maxTokens: more ?? 1 });
        const least = declarations ? 40 : tokens({ detail: "names" });
        expect(small.length).toBeLessThanOrEqual(Math.max(less ?? 1, least) * 4);
        for (const count of [named, typed, noted]) expect(count(large)).toBeGreaterThanOrEqual(count(small));
        expect(generateStubs(tools, { ...options, maxTokens: less ?? 1 })).toBe(small);
      }),
    );
  });

  test.each([0, -1, Number.NaN])("refuses a limit of %s", (maxTokens) => {
    expect(() => generateStubs(tools, { maxTokens })).toThrow(RangeError);
  });
});
