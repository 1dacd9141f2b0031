import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeReceived, maskSecrets } from "./describe-received.ts";

test.each([
  ["nothing", undefined],
  ["null", null],
  ["7", 7],
  ["12", 12n],
  ["true", true],
  [`"${"x".repeat(37)}…"`, "x".repeat(100)],
  ["an array of 1 item", ["a"]],
  ["an array of 0 items", []],
  ["an object without keys", {}],
  ["an object with a, b", { a: 1, b: 2 }],
  ["a function", () => 1],
])("describeReceived() answers %s", (text, value) => {
  expect(describeReceived(value)).toBe(text);
});

test("describeReceived() takes at most 40 characters and is whole Unicode", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", minLength: 40 }), fc.anything()),
      (value) => {
        const text = describeReceived(value);
        assert.ok(text.length <= 40 && text.isWellFormed(), text);
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each([
  "src/components/user-profile/index.ts",
  "packages/tools-interface/src/issue2.test.ts",
  "the quick brown fox jumps over the lazy dog",
  "2030-01-31T12:00:00.000Z",
  "a_rather_long_snake_case_name_of_a_thing",
  "skip-to-content",
  "12345678901234567890123",
])("maskSecrets() leaves %j", (text) => {
  expect(maskSecrets(text)).toBe(text);
});
