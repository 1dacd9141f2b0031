import { expect, test } from "vitest";
import type { AnyTool } from "../call/tool.ts";
import type { JsonSchema } from "../json/json.ts";
import { schemaCorpus } from "../schema/__fixtures__/schema-corpus.ts";
import { HOSTILE_SCHEMAS, HOSTILE_TEXTS } from "./__fixtures__/hostile-schemas.ts";
import { typeErrorsOfEach } from "./__fixtures__/type-check.ts";
import { generateStubs } from "./generate-stubs.ts";

const entries = [...schemaCorpus, ...Object.entries(HOSTILE_SCHEMAS).map(([name, entry]) => ({ name, ...entry }))];

/** As plain data: other libraries may convert their schemas to a form that no tool could be defined with here. */
function tool(name: string, parameters: JsonSchema, description = name, output?: JsonSchema): AnyTool {
  return { name, description, parameters, output } as unknown as AnyTool;
}

/** Each schema as a field that must be there, one that may be left out, as all of the parameters, and as the answer. */
const tools = entries.flatMap(({ name, schema, defs }, index) => {
  const $defs = { $defs: defs ?? {} };
  const root = (typeof schema === "object" ? schema : { not: {} }) as JsonSchema;
  const field = { type: "object", properties: { value: schema }, ...$defs };
  return [
    tool(`required_${index}`, { ...field, required: ["value"] }, name),
    tool(`optional_${index}`, { ...field, required: [] }, name, field),
    tool(`whole_${index}`, { ...root, ...$defs }, name, { ...root, ...$defs }),
  ];
});

/** The type errors of each source, all checked in one run of tsc. */
function complaintsOfEach(sources: readonly string[]): readonly (readonly string[])[] {
  return typeErrorsOfEach(sources, "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess").map(
    (errors, index) => {
      const lines = sources[index]?.split("\n") ?? [];
      return [...errors].map(([line, message]) => `${message}: ${lines[line]?.slice(0, 300)}`);
    },
  );
}

test("generateStubs() compiles under tsc --strict for every schema at every level of detail", () => {
  expect(entries.length).toBeGreaterThan(150);
  const sources = [
    generateStubs(tools),
    generateStubs(tools, { declarations: true }),
    generateStubs(tools, { detail: "signatures" }),
    generateStubs(tools, { detail: "names" }),
  ];
  for (const source of sources) {
    expect(source.match(/^(?:async|declare) function (?!__callTool__)/gm)).toHaveLength(tools.length);
  }
  expect(complaintsOfEach(sources).flat()).toEqual([]);
});

test("generateStubs() keeps every text inside its comment", () => {
  const hostile = HOSTILE_TEXTS.map((text, index) =>
    tool(
      `hostile_${index}`,
      {
        type: "object",
        properties: { a: { type: "string", description: text }, b: { $ref: "#/$defs/d" } },
        $defs: { d: { type: "object", description: text, properties: { c: { description: text } } } },
      },
      text,
      { type: "object", properties: { a: { description: text } } },
    ),
  );
  // Were anything declared, or a complaint suppressed, by a text, these would not be complained about.
  const calls = HOSTILE_TEXTS.map((_, index) => `void hostile_${index}({ a: 1 });`);
  const sources = (["full", "signatures"] as const).map((detail) =>
    generateStubs(hostile, { detail, hint: "\u2028evil()\nevil() */ evil()" }),
  );
  const found = complaintsOfEach(
    sources.flatMap((source) => [source, `${source}\n${calls.join("\n")}\nevil();\nevil2();`]),
  );
  for (const [index, source] of sources.entries()) {
    expect(found[2 * index]).toEqual([]);
    expect(found[2 * index + 1]).toHaveLength(calls.length + 2);
    expect(source).not.toMatch(/[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/u);
    expect(source).not.toMatch(/^[\s*/]*@/m);
  }
});

test("generateStubs() compiles for tools of any name", () => {
  const names = [
    ..."class await get-weather get_weather get.weather get/weather 9lives 9-lives a/b console Promise Array Record".split(
      " ",
    ),
    ..."Date Object JSON __callTool__ globalThis undefined NaN fetch open name of type declare async u_r_l_search".split(
      " ",
    ),
    ..."Tree TreeParams TreeParamsTree TreeParamsTree2 tree params _class _ - . require exports module Math string".split(
      " ",
    ),
  ];
  const parameters = {
    type: "object",
    properties: { n: { $ref: "#/$defs/tree" }, whole: { $ref: "#" } },
    required: ["n"],
    $defs: { tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" }, when: { type: "string" } } } },
  };
  const source = generateStubs(names.map((name) => tool(name, parameters, name, parameters)));
  const used =
    "const all: Promise<Date[]> = Promise.all([new Date(0)]); export default [all, JSON.stringify(Math.PI)];";
  expect(complaintsOfEach([source, `${source}${used}`])).toEqual([[], []]);
});
