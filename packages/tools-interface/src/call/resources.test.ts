import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool } from "../index.ts";

/** Tools that note when they start and end, over named things. */
function probes() {
  const log: string[] = [];
  const make = (name: string, readOnly: boolean, resource?: (params: { at: string[] }) => string | string[]) =>
    defineTool({
      name,
      description: "Notes start and end.",
      parameters: z.object({ id: z.string(), at: z.array(z.string()).default([]) }),
      annotations: { readOnly },
      ...(resource && { resource }),
      async execute({ id }) {
        log.push(`+${id}`);
        await new Promise((resolve) => setTimeout(resolve, 2));
        log.push(`-${id}`);
        return id;
      },
    });
  const at = (params: { at: string[] }) => params.at;
  const registry = createToolRegistry().register([
    make("read", true, at),
    make("write", false, at),
    make("read_any", true),
    make("write_any", false),
    make("broken", false, () => {
      throw new Error("no key");
    }),
    make("odd", false, () => 7 as never),
  ]);
  const call = (name: string, id: string, ...where: string[]) => ({ id, name, arguments: { id, at: where } });
  /** Which calls were running when each one started. */
  const overlaps = (): string[] => {
    const running = new Set<string>();
    return log.flatMap((line) => {
      const id = line.slice(1);
      if (line.startsWith("-")) return running.delete(id) ? [] : [];
      const pairs = [...running].map((other) => [other, id].toSorted().join());
      running.add(id);
      return pairs;
    });
  };
  return { log, registry, call, overlaps };
}

describe("dispatchAll() with resource()", () => {
  test("runs writes of different things together and of the same thing in order", async () => {
    const { log, registry, call, overlaps } = probes();
    await registry.dispatchAll([call("write", "a1", "a"), call("write", "b", "b"), call("write", "a2", "a")]);
    expect(overlaps()).toContain("a1,b");
    expect(log.indexOf("+a2")).toBeGreaterThan(log.indexOf("-a1"));
  });

  test("runs reads of what is written before or after the write, as asked", async () => {
    const { log, registry, call, overlaps } = probes();
    await registry.dispatchAll([
      call("read", "before", "a"),
      call("write", "w", "a"),
      call("read", "after", "a"),
      call("read", "elsewhere", "b"),
    ]);
    expect(log.indexOf("+w")).toBeGreaterThan(log.indexOf("-before"));
    expect(log.indexOf("+after")).toBeGreaterThan(log.indexOf("-w"));
    expect(overlaps()).toContain("before,elsewhere");
  });

  test.each(["write_any", "broken", "odd"])("lets nothing run beside %s, which may touch anything", async (name) => {
    const { registry, call, overlaps } = probes();
    await registry.dispatchAll([
      call("write", "a", "a"),
      call(name, "x"),
      call("read_any", "r"),
      call("write", "b", "b"),
    ]);
    expect(overlaps().filter((pair) => pair.includes("x"))).toEqual([]);
    expect(overlaps()).not.toContain("b,r");
  });

  test("takes damaged calls for calls that may touch anything", async () => {
    const { registry, call, overlaps } = probes();
    const damaged = { id: "d", name: "write", arguments: "{'id': 'd', 'at': ['b'],}" };
    await registry.dispatchAll([call("write", "a", "a"), damaged, call("write", "c", "c")]);
    expect(overlaps()).toEqual([]);
  });

  test("never runs two calls at once of which one changes what both touch, and keeps their order", async () => {
    const name = fc.constantFrom("read", "write", "read_any", "write_any");
    const where = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, where), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (plan, maxConcurrency) => {
          const { log, registry, call } = probes();
          await registry.dispatchAll(
            plan.map(([tool, at], index) => call(tool, `${index}`, ...at)),
            { maxConcurrency },
          );
          expect(log).toHaveLength(plan.length * 2);
          const touches = ([tool, at]: [string, string[]]) => (tool.endsWith("any") ? ["a", "b", "c"] : at);
          for (const [second, later] of plan.entries()) {
            for (const [first, earlier] of plan.slice(0, second).entries()) {
              if (later[0].startsWith("read") && earlier[0].startsWith("read")) continue;
              if (!touches(later).some((key) => touches(earlier).includes(key))) continue;
              expect(log.indexOf(`+${second}`)).toBeGreaterThan(log.indexOf(`-${first}`));
            }
          }
          let running = 0;
          const peak = Math.max(0, ...log.map((line) => (running += line.startsWith("+") ? 1 : -1)));
          expect(peak).toBeLessThanOrEqual(maxConcurrency);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("Tool.resources()", () => {
  test("answers the keys of what a call touches, and nothing for what it cannot tell", () => {
    const tool = probes().registry.get("write");
    expect(tool.resources({ id: "x", at: ["a", "b"] })).toEqual(["a", "b"]);
    expect(tool.resources({ id: 7 })).toBeUndefined();
    expect(probes().registry.get("write_any").resources({ id: "x" })).toBeUndefined();
  });
});
