import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool } from "../index.ts";

/** A tool that answers the parameters it was given. */
const search = {
  name: "search",
  description: "Searches.",
  execute: (params: unknown) => JSON.stringify(params),
};

describe("dispatch() makes no half repair", () => {
  const bot = {
    type: "object",
    properties: { bot_id: { type: "string" }, max_results: { type: "number" }, dry_run: { type: "boolean" } },
    required: ["bot_id"],
  };
  const call = async (parameters: object, sent: unknown, rest: object = {}) =>
    createToolRegistry()
      .register(defineTool({ ...search, parameters: parameters as z.ZodObject, ...rest }))
      .dispatch({ name: "search", arguments: sent });

  test.each([
    ["open", bot],
    ["closed", { ...bot, additionalProperties: false }],
    ["without required fields", { ...bot, required: [] }],
    ["of Zod", z.object({ bot_id: z.string(), max_results: z.number().optional(), dry_run: z.boolean().optional() })],
  ])("of the keys of an object that is %s", async (_, parameters) => {
    const result = await call(parameters, { botId: "b", maxResults: 5, DryRun: true });
    expect(result).toMatchObject({ output: '{"bot_id":"b","max_results":5,"dry_run":true}', ignored: [] });
    expect(result.repairs).toHaveLength(3);
  });

  test("of the keys of an object whose own key is renamed", async () => {
    const date = { date_from: z.string().optional(), date_to: z.string().optional() };
    const parameters = z.object({ bot_id: z.string(), filter: z.object(date).optional() });
    const sent = { botId: "b", Filter: { DateFrom: "x", dateTo: "y" } };
    const result = await call(parameters, sent);
    expect(result).toMatchObject({ output: '{"bot_id":"b","filter":{"date_from":"x","date_to":"y"}}', ignored: [] });
    expect(result.repairs).toHaveLength(4);
    const wrong = { botId: "b", Filter: { DateFrom: 5 } };
    expect(await call(parameters, wrong)).toMatchObject({ code: "invalid_params", repairs: [] });
  });

  test.each([
    ["two keys that may mean one field", { botId: "b", maxResults: 5, MaxResults: 6 }],
    ["a key with a slip", { botId: "b", maxResluts: 5 }],
  ])("where there is %s", async (_, sent) => {
    for (const parameters of [bot, { ...bot, additionalProperties: false }]) {
      expect(await call(parameters, sent)).toMatchObject({ success: false, code: "invalid_params", repairs: [] });
    }
  });

  test("and leaves the fields alone that an open object lets in", async () => {
    const result = await call(bot, { botId: "b", traceId: "t" });
    expect(JSON.parse(String(result))).toEqual({ bot_id: "b", traceId: "t" });
    const open = { ...bot, required: [], additionalProperties: true };
    expect(await call(open, { maxResults: 5 })).toMatchObject({ output: '{"maxResults":5}', repairs: [] });
  });

  test.each([
    ["of another tool", { name: "remove", arguments: { bot_id: "b" } }],
    ["beside other fields", { arguments: { bot_id: "b" }, dry_run: true }],
    ["beside another wrapper", { arguments: { bot_id: "b" }, input: { bot_id: "c" } }],
    ["that does not hold the parameters", { arguments: { bot: "b" } }],
    ["within one of another tool", { arguments: { name: "remove", arguments: { bot_id: "b" } } }],
    ["within one beside other fields", { arguments: { input: { bot_id: "b" }, dry_run: true } }],
    ["within five others", { input: { args: { params: { input: { args: { bot_id: "b" } } } } } }],
  ])("of a wrapper %s", async (_, sent) => {
    expect(await call(bot, sent)).toMatchObject({ success: false, code: "invalid_params", repairs: [] });
  });

  test("of a field that a schema itself calls arguments", async () => {
    const parameters = { type: "object", properties: { arguments: { type: "object" }, bot_id: {} } };
    const sent = { arguments: { bot_id: "b" } };
    expect(await call(parameters, sent)).toMatchObject({ output: JSON.stringify(sent), repairs: [] });
  });

  test("of a call to a tool that takes any fields", async () => {
    for (const parameters of [{ type: "object" }, { type: "object", properties: {} }]) {
      for (const sent of [{ arguments: {} }, { search: {} }, { name: "search", arguments: { a: 1 } }]) {
        expect(await call(parameters, sent)).toMatchObject({ output: JSON.stringify(sent), repairs: [] });
      }
    }
  });

  test("of a wrapper around the parameters of a tool that requires none", async () => {
    const parameters = { ...bot, required: [] };
    for (const sent of [{ arguments: { max_results: 5 } }, { name: "search", input: '{"maxResults":"5"}' }]) {
      const result = await call(parameters, sent);
      expect(String(result)).toBe('{"max_results":5}');
      expect(result.repairs[0]).toMatchObject({ kind: "unwrapped", path: [] });
    }
  });

  test.each([
    ["another case", "fast_mode", "Fast Mode"],
    ["spaces around", "fast_mode", " fast_mode\n"],
    ["other separators", "fast_mode", "fast-mode"],
    ["quotes", "fast_mode", '"fast_mode"'],
  ])("of a listed text in %s", async (_, listed, sent) => {
    const parameters = { type: "object", properties: { mode: { enum: [listed, "slow", "-1", "1", "1-2", "12"] } } };
    expect(await call(parameters, { mode: sent })).toMatchObject({ repairs: [{ kind: "enum_matched" }] });
  });

  test.each(["fast", "_1", "1_2", "1 2", ""])("of %j, which may be several listed texts or none", async (sent) => {
    const parameters = {
      type: "object",
      properties: { mode: { enum: ["FAST", "Fast", "-1", "1", "1-2", "12"] } },
      additionalProperties: false,
    };
    expect(await call(parameters, { mode: sent })).toMatchObject({ success: false, repairs: [] });
  });
});
