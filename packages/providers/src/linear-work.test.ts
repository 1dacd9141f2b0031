import { describe, test } from "vitest";
// @boundaries-ignore work is counted in one way
import {
  a,
  chain,
  counted,
  expectLinear,
  nested,
  rawAst,
  rawOf,
  STEPS,
} from "../../tools-interface/src/schema/__fixtures__/linear-work.ts";
import { findForGemini } from "./wire/gemini-keywords.ts";
import { OPENAI_STRICT } from "./wire/openai-schema.ts";
import { toRootObject } from "./wire/root-object.ts";
import { decodeWireValue } from "./wire/wire-plan.ts";
import { compileStrict } from "./wire/wire-tools.ts";

test("turns a strict provider's value back", async () => {
  const optional = {
    ...rawOf({ anyOf: [{ type: "null" }, ...rawAst.anyOf.slice(1).map((one) => ({ ...one, required: ["left"] }))] }),
  };
  const strict = compileStrict(optional, { ...OPENAI_STRICT, distinctFirstFields: false });
  if (typeof strict === "string") throw new Error(strict);
  await expectLinear((depth) => {
    const params = counted({ e: nested(depth, (left) => ({ op: null, left }), null) });
    decodeWireValue(params.value, strict.plan);
    return params.looks();
  });
});

describe("a schema whose definitions lead several times to the next one", () => {
  describe.each(STEPS)("by %s", (_, step) => {
    test.each<[string, (schema: Readonly<Record<string, unknown>>) => unknown]>([
      ["a strict schema", (schema) => compileStrict(schema, OPENAI_STRICT)],
      ["an object at the root", (schema) => toRootObject({ ...schema, anyOf: [a(schema)] }, () => {})],
      ["remarks for Gemini", (schema) => findForGemini(schema)],
    ])("is read once for %s", async (_walk, work) => {
      await expectLinear((length) => {
        const schema = counted(chain(length, step));
        work(schema.value);
        return schema.looks();
      }, 8);
    });
  });
});
