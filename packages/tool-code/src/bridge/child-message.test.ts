import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { childMessageStream, parseChildMessage as parse, type ChildMessage } from "./child-message.ts";

const MAX_VALUES = 1_000;
const parseChildMessage = (json: string): ChildMessage | undefined => parse(json, MAX_VALUES);

describe("parseChildMessage()", () => {
  test.each([
    ['{"t":"ready","version":"2.9.5"}', { t: "ready", version: "2.9.5" }],
    ['{"t":"call","id":1,"name":"x","params":{"a":1}}', { t: "call", id: 1, name: "x", params: { a: 1 } }],
    ['{"t":"done","value":[1]}', { t: "done", value: [1], error: undefined }],
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

  test("refuses more values than allowed, and not the most that is", () => {
    const call = (count: number): string =>
      `{"t":"call","id":1,"name":"x","params":${JSON.stringify(Array.from({ length: count }, () => 0))}}`;
    // The message itself, its three fields and the list.
    expect(parseChildMessage(call(MAX_VALUES - 5))).toBeDefined();
    expect(parseChildMessage(call(MAX_VALUES - 4))).toBeUndefined();
  });

  test("reads the same in pieces", () => {
    const read = (json: string): ChildMessage | undefined => {
      let found: ChildMessage | undefined;
      const sink = childMessageStream(MAX_VALUES, (message) => (found = message));
      for (const byte of Buffer.from(json)) sink.push(Buffer.from([byte]));
      sink.end();
      return found;
    };
    for (const json of [
      '{"t":"call","id":1,"name":"x","params":{"__proto__":{"a":1},"b":"é"}}',
      '{"t":"done","value":[1]}',
      '{"t":"done"',
      "[]",
      `{"t":"done","value":${"[".repeat(300)}${"]".repeat(300)}}`,
    ])
      expect(read(json)).toEqual(parseChildMessage(json));
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

  test.each([
    ["one number", `{"900":1}`, 300],
    ["an escaped number", String.raw`{"\u00390\u0030":1}`, 300],
    ["two numbers", `{"1000":1,"2500":1}`, 100],
  ])("refuses many objects with %s for a key, for which an engine takes KiB each", (_what, object, count) => {
    const message = (times: number) => `{"t":"call","id":1,"name":"x","params":[${Array(times).fill(object).join()}]}`;
    expect(parse(message(3), 30_000)).toMatchObject({ t: "call" });
    expect(parse(message(count * 2), 30_000)).toBeUndefined();
  });

  test("reads objects with years for keys, which an engine keeps in a table", () => {
    const years = Array(5_000).fill(`{"2024":1,"2025":2}`).join();
    expect(parse(`{"t":"call","id":1,"name":"x","params":[${years}]}`, 30_000)).toMatchObject({
      t: "call",
    });
  });

  test("shortens a name that can be no tool's", () => {
    const message = parse(`{"t":"call","id":1,"name":"${"x".repeat(60_000)}"}`, MAX_VALUES);
    expect(message).toMatchObject({ name: `${"x".repeat(199)}…` });
  });
});
