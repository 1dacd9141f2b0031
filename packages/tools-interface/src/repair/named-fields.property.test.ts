import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  letrec,
  oneof,
  property,
  record,
} from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema } from "../json/json.ts";
import { namesFields } from "../schema/unknown-fields.ts";
import { rootLocation } from "./instance-location.ts";
import { proposeRenames } from "./rename-fields.ts";
import { unwrapParams } from "./unwrap-params.ts";

const key = constantFrom("path", "Path", "file_path", "filePath", "kind", "arguments", "params", "tool", "extra");
const scalar = constantFrom("x", "y", "Path", 3, null, true);

const { schema } = letrec<Record<"schema" | "tagged" | "object" | "node", JsonSchema>>((tie) => ({
  schema: oneof(tie("object"), record({ type: constant("object"), anyOf: array(tie("tagged"), { maxLength: 3 }) })),
  tagged: record({
    type: constant("object"),
    properties: record(
      { kind: constantFrom<JsonSchema>({ const: "x" }, { enum: ["y", 3] }), path: tie("node"), file_path: tie("node") },
      { requiredKeys: [] },
    ),
    required: constant(["path"]),
  }),
  object: record(
    {
      type: constant("object"),
      properties: dictionary(key, tie("node"), { maxKeys: 3 }),
      required: array(key, { maxLength: 2 }),
      additionalProperties: oneof(boolean(), tie("node")),
    },
    { requiredKeys: ["type"] },
  ),
  node: oneof(
    { maxDepth: 3, withCrossShrink: true },
    constantFrom<JsonSchema>({ type: "string" }, { const: "x" }, { enum: ["x", "y"] }, { type: "number" }, {}),
    tie("schema"),
    record({ type: constant("array"), items: tie("node") }),
    record({ type: constant("array"), prefixItems: array(tie("node"), { maxLength: 2 }) }),
    record({ anyOf: array(tie("node"), { minLength: 1, maxLength: 3 }) }),
  ),
}));

const { value } = letrec<{ value: unknown }>((tie) => ({
  value: oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    dictionary(key, tie("value"), { maxKeys: 3 }),
    array(tie("value"), { maxLength: 2 }),
  ),
}));
const params = dictionary(key, value, { maxKeys: 4 });

test("parameters whose fields all have their names have none to rename and none around them", () => {
  let named = 0;
  assert(
    property(schema, params, (wanted, sent) => {
      if (!namesFields(wanted)(sent)) return;
      named += 1;
      expect(proposeRenames(rootLocation(sent, wanted), wanted)).toEqual([]);
      expect(unwrapParams(sent, "tool", wanted)).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
  expect(named).toBeGreaterThan(50);
});
