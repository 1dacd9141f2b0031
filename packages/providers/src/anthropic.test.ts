import { readFileSync } from "node:fs";
import { defineTool, ToolError, createToolRegistry, failure, success } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fromAnthropicMessage, toAnthropicResults, toAnthropicTools } from "./anthropic.ts";

const message = JSON.parse(
  readFileSync(new URL("./__fixtures__/anthropic-parallel-tool-use.json", import.meta.url), "utf8"),
) as { content: { id?: string }[] };

const weather = defineTool({
  name: "weather.get",
  description: "The weather in a city.",
  parameters: z.object({
    city: z.string().min(2).describe("City and state"),
    unit: z.enum(["celsius", "fahrenheit"]).default("celsius"),
    days: z.int().min(1).max(7).optional(),
  }),
  execute: ({ city, unit }) => `${city}: 15 ${unit}`,
});
const registry = createToolRegistry().register(weather);

describe("toAnthropicTools()", () => {
  it("writes the documented shape, without `strict` and with the schema as it is", () => {
    const { tools, report } = toAnthropicTools(registry);
    expect(tools).toEqual([
      {
        name: "weather_get",
        description: "The weather in a city.",
        input_schema: {
          type: "object",
          properties: {
            city: { type: "string", minLength: 2, description: "City and state" },
            unit: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
            days: { type: "integer", minimum: 1, maximum: 7 },
          },
          required: ["city"],
          additionalProperties: false,
        },
      },
    ]);
    expect(report).toEqual([
      { name: "weather.get", wireName: "weather_get", strict: false, notStrict: undefined, changes: [] },
    ]);
  });

  it("moves what strict does not enforce into the descriptions and reports it", () => {
    const { tools, report } = toAnthropicTools(registry, { strict: ["weather.get"] });
    expect(tools[0]).toEqual({
      name: "weather_get",
      description: "The weather in a city.",
      strict: true,
      input_schema: {
        type: "object",
        properties: {
          city: { type: "string", description: "City and state (minLength: 2)" },
          unit: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
          days: { type: "integer", description: "(minimum: 1; maximum: 7)" },
        },
        required: ["city"],
        additionalProperties: false,
      },
    });
    expect(report[0]?.changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      "described #/properties/city/minLength",
      "described #/properties/days/minimum",
      "described #/properties/days/maximum",
    ]);
  });

  it("leaves out tools that are registered and not advertised", () => {
    const hidden = createToolRegistry().register(weather, { callers: [] });
    expect(toAnthropicTools(hidden).tools).toEqual([]);
  });

  it("makes one object of a union at the root, which the API refuses, and keeps its references", () => {
    const parameters = {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      anyOf: [
        { properties: { path: { $ref: "#/anyOf/1/properties/url" } }, required: ["path"] },
        { properties: { url: { type: "string" }, id: { type: "number" } }, required: ["url"] },
      ],
    };
    const { tools, report } = toAnthropicTools([{ name: "t", description: "d", parameters }]);
    expect(tools[0]?.input_schema).toMatchObject({
      type: "object",
      properties: {
        id: { anyOf: [{ type: "string" }, { type: "number" }] },
        path: { $ref: "#/$defs/original_root/anyOf/1/properties/url" },
        url: { type: "string" },
      },
      required: ["id"],
    });
    expect(tools[0]?.input_schema).not.toHaveProperty("anyOf");
    expect(report[0]?.changes).toMatchObject([{ path: "#/anyOf", kind: "widened" }]);
  });

  it("renames fields that the API refuses and decoding puts the names back", () => {
    const odd = { "filter[name]": { type: "string" }, $top: { type: "number" }, _top: { type: "number" } };
    const parameters = { type: "object", properties: odd, required: ["$top"] };
    for (const strict of [false, true]) {
      const wire = toAnthropicTools([{ name: "t", description: "d", parameters }], { strict });
      const keys = Object.keys(wire.tools[0]?.input_schema["properties"] as object);
      expect(keys.every((key) => /^[a-zA-Z0-9_.-]{1,64}$/.test(key))).toBe(true);
      expect(wire.tools[0]?.input_schema["required"]).toEqual([keys[1]]);
      const sent = Object.fromEntries(keys.map((key, index) => [key, index]));
      expect(wire.decode("t", sent)).toEqual({ "filter[name]": 0, $top: 1, _top: 2 });
    }
  });

  it("stays within what all strict tools of a request may hold together", () => {
    const many = Array.from({ length: 22 }, (_, index) => ({ ...weather.definition, name: `t${index}` }));
    const { report } = toAnthropicTools(many, { strict: true });
    // Two optional fields each, 24 in all.
    expect(report.filter(({ strict }) => strict)).toHaveLength(12);
    expect(report[12]?.notStrict).toContain("at most 24 optional fields");
  });

  it("refuses two tools of one name", () => {
    const twice = [weather.definition, weather.definition];
    expect(() => toAnthropicTools(twice)).toThrow(ToolError);
  });
});

describe("fromAnthropicMessage()", () => {
  it("reads parallel calls in order, with their own names, and none that the API runs itself", () => {
    expect(fromAnthropicMessage(message, toAnthropicTools(registry))).toEqual([
      {
        id: "toolu_01A09q90qw90lq917835lq9",
        turn: "msg_01Aq9w938a90dw8q",
        name: "weather.get",
        arguments: { city: "San Francisco, CA", unit: "celsius" },
      },
      { id: "toolu_01B", turn: "msg_01Aq9w938a90dw8q", name: "weather.get", arguments: {} },
    ]);
  });

  it("reads no call from what is no message, and input that is text", () => {
    for (const other of [undefined, null, "", 3, [], { content: "text" }, { content: [null, 1, "x", {}] }]) {
      expect(fromAnthropicMessage(other)).toEqual([]);
    }
    const wire = toAnthropicTools(registry);
    const content = [{ type: "tool_use", id: 7, name: null, input: '{"city":"Rome"}' }];
    expect(fromAnthropicMessage({ content }, wire)).toEqual([{ name: "", arguments: { city: "Rome" } }]);
  });

  it("gives calls that a registry runs", async () => {
    const calls = fromAnthropicMessage(message, toAnthropicTools(registry));
    const results = await registry.dispatchAll(calls);
    expect(results.map(({ success: ok }) => ok)).toEqual([true, false]);
  });
});

describe("toAnthropicResults()", () => {
  const calls = ["a", "b", "c", "d"].map((id) => ({ id, name: "t" }));

  it("writes text, images and failures in the order of the calls, and never metadata or data", () => {
    const secret: Record<string, unknown> = { key: "SECRET" };
    secret["self"] = secret;
    const image = { type: "image", data: "aW1n", mimeType: "image/png" } as const;
    const written = toAnthropicResults(calls, [
      success("plain", { data: { hidden: "SECRET" }, metadata: secret }),
      success("unused", { content: [{ type: "text", text: "look" }, image, { ...image, mimeType: "image/tiff" }] }),
      failure("Cannot read a.txt: not found", { metadata: secret }),
      success(""),
    ]);
    expect(written).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: "plain" },
        {
          type: "tool_result",
          tool_use_id: "b",
          content: [
            { type: "text", text: "look" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "aW1n" } },
            { type: "text", text: "[image (image/tiff) cannot be shown here]" },
          ],
        },
        { type: "tool_result", tool_use_id: "c", content: "Cannot read a.txt: not found", is_error: true },
        { type: "tool_result", tool_use_id: "d" },
      ],
    });
    expect(JSON.stringify(written)).not.toContain("SECRET");
  });

  it("refuses results that do not match the calls", () => {
    expect(() => toAnthropicResults(calls, [success("one")])).toThrow(
      "Cannot write results for Anthropic: there are 4 calls and 1 results",
    );
  });
});
