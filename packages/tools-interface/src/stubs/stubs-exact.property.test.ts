import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { defineTool, type AnyTool, type JsonSchema } from "../index.ts";
import { schemaCorpus } from "../schema/__fixtures__/schema-corpus.ts";
import { exactParameters, wideParameters } from "./__fixtures__/random-schemas.ts";
import { nearMisses, valuesOf } from "./__fixtures__/schema-values.ts";
import { typeErrors } from "./__fixtures__/type-check.ts";
import { generateStubs } from "./generate-stubs.ts";

interface Case {
  readonly parameters: JsonSchema;
  readonly values: readonly unknown[];
}

function cases(schemas: fc.Arbitrary<JsonSchema>, isNear: boolean): fc.Arbitrary<readonly Case[]> {
  const one = schemas.chain((parameters) => {
    const fitting = valuesOf(parameters, parameters);
    const value = isNear ? fc.oneof(fitting, fitting.chain(nearMisses)) : fitting;
    return fc.record({ parameters: fc.constant(parameters), values: fc.array(value, { minLength: 6, maxLength: 6 }) });
  });
  return fc.array(one, { minLength: 60, maxLength: 60, size: "max" });
}

/** Every value of every case: whether it validates as it is, and whether the stub takes it. */
async function verdicts(all: readonly Case[]) {
  const made = all.flatMap(({ parameters, values }, index) => {
    try {
      const tool = defineTool({ name: `tool_${index}`, description: "d", parameters, execute: () => "" }) as AnyTool;
      return [{ tool, parameters, values }];
    } catch {
      return []; // A schema that refers to nothing but itself.
    }
  });
  const stubs = generateStubs(made.map(({ tool }) => tool));
  const asked = made.flatMap(({ tool, parameters, values }) => values.map((value) => ({ tool, parameters, value })));
  const calls = asked.map(({ tool, value }) => `void ${tool.name}(${source(value)});`);
  const errors = typeErrors(`${stubs}${calls.join("\n")}`);
  const start = stubs.split("\n").length - 1;
  return Promise.all(
    asked.map(async ({ tool, parameters, value }, index) => {
      const checked = await tool.validate(value);
      return {
        call: calls[index],
        parameters: JSON.stringify(parameters),
        // As it is: with nothing dropped.
        validates: checked.success && isDeepStrictEqual(checked.params, value),
        assignable: !errors.has(start + index),
      };
    }),
  );
}

/** A literal on one line: to TypeScript a line separator ends one even inside a string. */
function source(value: unknown): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028");
}

test("generateStubs() prints types to which exactly the values that validate are assignable", async () => {
  let fitting = 0;
  await fc.assert(
    fc.asyncProperty(cases(exactParameters, true), async (all) => {
      const found = await verdicts(all);
      fitting += found.filter(({ validates }) => validates).length / found.length;
      expect(found.filter(({ validates, assignable }) => validates !== assignable)).toEqual([]);
    }),
    { numRuns: 6, endOnFailure: true },
  );
  // Neither verdict is the rare one.
  expect(fitting / 6).toBeGreaterThan(0.2);
  expect(fitting / 6).toBeLessThan(0.8);
});

const known = fc.constantFrom(...schemaCorpus).map(({ schema, defs }): JsonSchema => {
  return { type: "object", properties: { value: schema }, ...(defs && { $defs: defs }) };
});

test("generateStubs() prints types that are never narrower, whatever the schema", async () => {
  let fitting = 0;
  await fc.assert(
    fc.asyncProperty(cases(fc.oneof(wideParameters, known), false), async (all) => {
      const found = (await verdicts(all)).filter(({ validates }) => validates);
      fitting += found.length;
      expect(found.filter(({ assignable }) => !assignable)).toEqual([]);
    }),
    { numRuns: 6, endOnFailure: true },
  );
  expect(fitting).toBeGreaterThan(400);
});
