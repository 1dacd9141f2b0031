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
  test("tells all in full while that fits, then the last as signatures", () => {
    const [full, signatures] = [tokens({}), tokens({ detail: "signatures" })];
    expect(generateStubs(tools, { maxTokens: full })).toBe(generateStubs(tools));
    const less = generateStubs(tools, { maxTokens: full - 1 });
    expect([typed(less), noted(less)]).toEqual([12, 11]);
    expect(less).toContain("// Without the descriptions of fields. ");
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

  test("lists the names of all before it declares any, and counts the rest where not even they fit", () => {
    const names = generateStubs(tools, { maxTokens: 70, declarations: true });
    expect(names).toBe(
      `// Functions at the end stand here by their names alone. A call with parameters that do not fit is told what does.
// look_0, look_1, look_2, look_3, look_4, look_5, look_6, look_7, look_8, look_9, look_10, look_11
`,
    );
    const more = generateStubs(tools, { maxTokens: 120, declarations: true });
    expect([named(more), typed(more)]).toEqual([2, 2]);
    expect(more).toContain("\n// look_2, look_3,");
    const some = generateStubs(tools, { maxTokens: 20, declarations: true, hint: "Ask." });
    expect(some).toBe("// 10 more functions are there that are not shown. Ask.\n// look_0, look_1\n");
    const none = generateStubs(tools, { maxTokens: 1, declarations: true, hint: "Ask." });
    expect(none).toBe("// 12 more functions are there that are not shown. Ask.\n");
  });

  test("leaves out functions from the end where not all fit, and says how many", () => {
    const few = generateStubs(tools, { maxTokens: 150, hint: "Ask." });
    expect(few.length).toBeLessThanOrEqual(600);
    expect(named(few)).toBeGreaterThan(1);
    expect(few).toContain(`// ${12 - named(few)} more functions are left out. Ask.\n`);
    expect(typeErrors(few).size).toBe(0);
  });

  test("keeps to the limit, compiles, and tells no less when it may tell more", () => {
    const limit = fc.integer({ min: 1, max: tokens({}) + 10 });
    const option = fc.record({ declarations: fc.boolean(), detail: fc.constantFrom("full", "signatures", "names") });
    const told = (source: string) => source.match(/\blook_\d+\b/g)?.length ?? 0;
    fc.assert(
      fc.property(limit, limit, option, (one, other, { declarations, detail }) => {
        const options = { declarations, detail } as const;
        const [less, more] = [one, other].toSorted((a, b) => a - b);
        const small = generateStubs(tools, { ...options, maxTokens: less ?? 1 });
        const large = generateStubs(tools, { ...options, maxTokens: more ?? 1 });
        // The comment, and the declaration of the bridge.
        const least = declarations ? 110 : 200;
        expect(small.length).toBeLessThanOrEqual(Math.max((less ?? 1) * 4, least));
        for (const count of [told, named, typed, noted]) expect(count(large)).toBeGreaterThanOrEqual(count(small));
        expect(generateStubs(tools, { ...options, maxTokens: less ?? 1 })).toBe(small);
      }),
      { numRuns: 300 },
    );
  });

  test.each([0, -1, Number.NaN])("refuses a limit of %s", (maxTokens) => {
    expect(() => generateStubs(tools, { maxTokens })).toThrow(RangeError);
  });
});
