import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { defineTool, type Schema } from "../index.ts";

const SECRET = "sk-aB3dE6gH9jK2mN5pQ8sT1vW4";

const never = (): boolean => false;

test.each<[string, Schema]>([
  [
    "ArkType",
    type({
      free: type("string").narrow(never),
      mail: "string.email",
      kind: "'a'|'b'",
      size: "1 <= number.integer <= 14",
    }),
  ],
  [
    "Valibot",
    toStandardJsonSchema(
      v.object({
        free: v.pipe(v.string(), v.check(never)),
        mail: v.pipe(v.string(), v.email()),
        kind: v.picklist(["a", "b"]),
        size: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(14)),
      }),
    ),
  ],
])("toIssue() keeps what %s received out of its words, where a secret would not be masked", async (_, parameters) => {
  const tool = defineTool({ name: "t", description: "T.", parameters, execute: () => "" });
  const result = await tool.call({ free: SECRET, mail: SECRET, kind: SECRET, size: 99.5 });
  expect(String(result)).not.toContain("sk-");
  expect(String(result)).toMatch(/- free: .*received "\[secret\]"/);
  expect(String(result)).toMatch(/- mail: .*received "\[secret\]"/);
  expect(String(result)).toMatch(/- kind: expected one of "a", "b", received "\[secret\]"/);
  expect(String(result)).toMatch(/- size: .*received 99\.5/);
  expect(result).toMatchObject({ code: "invalid_params" });
  const plain = (result as { readonly issues?: readonly { readonly path: unknown }[] }).issues ?? [];
  expect(plain.map(({ path }) => JSON.stringify(path)).toSorted()).toEqual([
    '["free"]',
    '["kind"]',
    '["mail"]',
    '["size"]',
  ]);
});

test("toIssue() leaves the words of a tool's author as they are", async () => {
  const parameters = toStandardJsonSchema(v.object({ mail: v.pipe(v.string(), v.email("write name@host")) }));
  const tool = defineTool({ name: "t", description: "T.", parameters, execute: () => "" });
  expect(String(await tool.call({ mail: "x" }))).toContain(
    '- mail: write name@host; expected string in the form of an email, received "x"',
  );
});

test("a wrong value whose issue cannot be put into words never counts as one that fits", async () => {
  const execute = vi.fn(() => "ran");
  const message = (): string => {
    throw new Error("no words");
  };
  for (const city of [
    z.string({ error: message }),
    z.enum(["Oslo"], { error: message }),
    z.literal("Oslo", { error: message }),
  ]) {
    const tool = defineTool({ name: "find", description: "Finds.", parameters: z.object({ city }), execute });
    for (const wrong of [7, {}, null]) {
      expect(await tool.call({ city: wrong as never })).toMatchObject({ success: false });
      // Once a value has fitted, checks are synchronous.
      await tool.call({ city: "Oslo" });
    }
  }
  expect(execute).toHaveBeenCalledTimes(9);
});
