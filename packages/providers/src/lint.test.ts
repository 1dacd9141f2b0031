import { defineTool, createToolRegistry } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { lintTools } from "./lint.ts";

const clean = defineTool({
  name: "read_file",
  description: "Reads a file.",
  parameters: z.object({ path: z.string().describe("The file"), kind: z.enum(["text"]).describe("Its kind") }),
  execute: () => "text",
});
const store = defineTool({
  name: "kv.store",
  description: "Stores values.",
  parameters: z.object({ values: z.record(z.string(), z.number()).describe("By name"), "a b": z.string().min(2) }),
  execute: () => "stored",
});
const registry = createToolRegistry().register([clean, store]);

describe("lintTools()", () => {
  it("finds nothing about a tool that every target takes as it is", () => {
    const targets = ["anthropic", "anthropic-strict", "openai", "openai-strict", "gemini", "mcp"] as const;
    expect(lintTools(registry.subset("read_file"), { targets })).toEqual([]);
  });

  it("finds what is not described, whatever the targets", () => {
    expect(lintTools(registry, { targets: [] })).toEqual([
      {
        tool: "kv.store",
        target: undefined,
        path: "#/properties/a b",
        what: "it has no description",
        advice: "Say what it is for, in which unit",
      },
    ]);
    const parameters = {
      type: "object",
      properties: { at: { $ref: "#/$defs/P" } },
      $defs: { P: { description: "x" } },
    };
    const found = lintTools([{ name: "t", description: " ", parameters }], { targets: ["mcp"] });
    expect(found.map(({ path }) => path)).toEqual(["description"]);
  });

  it("finds names, fields and constructs that a target refuses, for that target only", () => {
    const found = lintTools(registry, { targets: ["anthropic", "openai-strict", "gemini", "mcp"] });
    const lines = found.filter(({ target }) => target).map(({ target, path }) => `${String(target)} ${path}`);
    expect(lines).toEqual([
      "anthropic name",
      "anthropic #/properties/a b",
      "openai-strict name",
      "openai-strict #",
      "gemini name",
      "gemini #/properties/values",
      "gemini #/properties/a b",
    ]);
    expect(found.find(({ path }) => path === "#")?.what).toBe(
      "OpenAI strict cannot say the schema: #/properties/values takes fields that it does not name",
    );
  });

  it("finds what Google documents as not told, and nothing of what it takes", () => {
    const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" } } };
    const parameters = {
      type: "object",
      required: ["pattern", "loop"],
      properties: {
        pattern: { type: "string", pattern: "^a", maxLength: 3, description: "x", default: "a" },
        one: { const: "a" },
        flags: { enum: [true, "a"] },
        beside: { $ref: "#/$defs/Leaf", minimum: 3 },
        fine: {
          oneOf: [
            { type: "integer", minimum: 1 },
            { type: "array", items: { not: {} }, maxItems: 2 },
          ],
        },
        may: { $ref: "#/$defs/Node" },
        loop: { $ref: "#/$defs/Loop" },
      },
      $defs: {
        Leaf: { type: "number" },
        Node: node,
        Loop: {
          type: "object",
          required: ["loop"],
          properties: { loop: { type: "array", items: { $ref: "#/$defs/Loop" } } },
        },
      },
    };
    const found = lintTools([{ name: "t", description: "d", parameters }], { targets: ["gemini"] });
    const lines = found.filter(({ target }) => target).map(({ path, what }) => `${path} ${what}`);
    expect(lines).toEqual([
      "#/properties/pattern pattern is not among the keywords that Google documents",
      "#/properties/pattern maxLength is not among the keywords that Google documents",
      "#/properties/one const is not among the keywords that Google documents",
      "#/properties/flags enum holds more than strings and numbers",
      "#/properties/beside minimum stands beside $ref",
      "#/properties/fine/oneOf/1/items not is not among the keywords that Google documents",
      "#/$defs/Loop/properties/loop/items it must hold itself",
    ]);
  });

  it("ends for a schema that refers to itself in many ways", () => {
    const names = Array.from({ length: 12 }, (_, index) => `N${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const $defs = Object.fromEntries(names.map((name) => [name, { type: "object", properties, required: names }]));
    const parameters = { type: "object", properties, required: names, $defs };
    const found = lintTools([{ name: "t", description: "d", parameters }], { targets: ["gemini"] });
    expect(found.some(({ what }) => what === "it must hold itself")).toBe(true);
  });

  it("finds a union at the root, a description too long and a tool too many", () => {
    const parameters = { type: "object", properties: {}, anyOf: [{ required: [] }] };
    const union = lintTools([{ name: "t", description: "d", parameters }], { targets: ["anthropic"] });
    expect(union.map(({ path, what }) => `${path} ${what}`)).toEqual([
      "#/anyOf anyOf is widened: providers take a plain object at the root",
    ]);
    const long = [{ ...clean.definition, description: "x".repeat(1025) }];
    expect(lintTools(long).map(({ target, path }) => `${String(target)} ${path}`)).toEqual(["openai description"]);
    const many = Array.from({ length: 130 }, (_, index) => ({ ...clean.definition, name: `t${index}` }));
    expect(lintTools(many).map(({ tool, target }) => `${tool} ${String(target)}`)).toEqual(["t128 openai"]);
  });

  it("reports keywords that were read as an older draft means them", () => {
    const properties = {
      "a/b": { type: "number", minimum: 0, exclusiveMinimum: true },
      c: { type: "any", required: true },
      d: { type: "string", required: false },
    };
    const tool = defineTool({
      name: "old",
      description: "Is old.",
      parameters: { type: "object", properties },
      execute: () => "",
    });
    const found = lintTools([tool]).filter(({ what }) => what.includes("was read as"));
    expect(found.map(({ path }) => path)).toEqual([
      "#/properties/a~1b/exclusiveMinimum",
      "#/properties/c/type",
      "#/properties/c/required",
      "#/properties/d/required",
    ]);
  });

  it("refuses a target that there is not", () => {
    expect(() => lintTools([], { targets: ["openai_strict" as never] })).toThrow("allowed are anthropic, ");
  });
});
