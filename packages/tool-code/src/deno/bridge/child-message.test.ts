import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseChildMessage } from "./child-message.ts";

describe("parseChildMessage()", () => {
  test.each([
    ['{"t":"ready","version":"2.9.5"}', { t: "ready", version: "2.9.5" }],
    ['{"t":"call","id":1,"name":"x","params":{"a":1}}', { t: "call", id: 1, name: "x", params: { a: 1 } }],
    ['{"t":"done","value":[1]}', { t: "done", value: [1], error: undefined }],
    ['{"t":"done","text":"Map(0) {}"}', { t: "done", value: "Map(0) {}", error: undefined }],
    ['{"t":"done"}', { t: "done", value: undefined, error: undefined }],
  ])("reads %s", (json, message) => {
    expect(parseChildMessage(json)).toEqual(message);
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    "1",
    '{"t":"eval"}',
    '{"t":"call","id":"1","name":"x"}',
    '{"t":"call","id":1.5,"name":"x"}',
    '{"t":"call","id":1,"name":{}}',
    '{"t":"ready"}',
    '{"t":"syntax"}',
    `{"t":"done","value":${"[".repeat(300)}${"]".repeat(300)}}`,
    "[".repeat(100_000),
  ])("refuses %.60s", (json) => {
    expect(parseChildMessage(json)).toBeUndefined();
  });

  test("drops keys that name a prototype, however they are spelled", () => {
    for (const key of ["__proto__", "\\u005f_proto__"]) {
      const message = parseChildMessage(
        `{"t":"call","id":1,"name":"x","params":{"${key}":{"admin":true},"a":{"${key}":1}}}`,
      );
      const { params } = message as { params: object };
      expect(Object.getOwnPropertyNames(params)).toEqual(["a"]);
      expect(Object.assign({}, params)).not.toHaveProperty("admin");
    }
  });

  test("cuts what an error says: a model reads it", () => {
    const long = "x".repeat(1_000_000);
    const message = parseChildMessage(JSON.stringify({ t: "done", error: { name: long, message: long, stack: long } }));
    expect(JSON.stringify(message).length).toBeLessThan(20_000);
  });

  test("makes an error of whatever stands in its place", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const message = parseChildMessage(JSON.stringify({ t: "done", error: value }));
        if (message?.t !== "done" || message.error === undefined) throw new Error("no error");
        const { name, message: text, stack, tool, output } = message.error;
        expect(
          [name, text, stack].every((field) => typeof field === "string") &&
            typeof tool === "boolean" &&
            typeof output === "boolean",
        ).toBe(true);
      }),
    );
  });
});
