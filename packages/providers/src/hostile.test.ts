import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type JsonSchema, success } from "@dispatch/tools-interface";
import { toMcpTools } from "@dispatch/tools-interface/mcp";
import { describe, expect, it } from "vitest";
import { toAnthropicResults, toAnthropicTools } from "./anthropic.ts";
import { toGeminiTools } from "./gemini.ts";
import { lintTools } from "./lint.ts";
import { fromOpenAiResponse, toOpenAiTools } from "./openai.ts";

function tool(parameters: JsonSchema, name = "t", description = "d") {
  return [{ name, description, parameters }];
}

/** A few lines that stand for 2^40 nodes. */
function bomb(keyword: "allOf" | "anyOf" | "properties"): JsonSchema {
  const level = (next: number): JsonSchema => {
    const both = [{ $ref: `#/$defs/d${next}` }, { $ref: `#/$defs/d${next}` }];
    if (keyword !== "properties") return { [keyword]: both };
    return { type: "object", properties: { a: both[0], b: both[1] }, required: ["a"] };
  };
  const defs = Array.from({ length: 40 }, (_, index) => [`d${index}`, level(index + 1)]);
  const $defs = { ...Object.fromEntries(defs), d40: { type: "string" } } as JsonSchema;
  return { type: "object", properties: { x: { $ref: "#/$defs/d0" } }, $defs };
}

function deep(levels: number): JsonSchema {
  let schema: JsonSchema = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { in: schema } };
  return schema;
}

describe("every format", () => {
  it.each(["allOf", "anyOf", "properties"] as const)(
    "ends with a schema of few lines that stands for many: %s",
    (keyword) => {
      const tools = tool(bomb(keyword));
      expect(lintTools(tools, { targets: ["anthropic-strict", "openai-strict", "gemini", "mcp"] })).toBeDefined();
      expect(JSON.stringify(toGeminiTools(tools).tools).length).toBeLessThan(1_000_000);
    },
  );

  it("ends with a schema nested a thousand levels deep", () => {
    const tools = tool(deep(1000));
    expect(toOpenAiTools(tools, { strict: true }).report[0]?.notStrict).toContain("nested deeper than 64 levels");
    expect(toGeminiTools(tools).tools).toHaveLength(1);
  });

  it("passes names and descriptions on as data, and repairs halves of characters", () => {
    const description = 'Ends */ the comment, "quotes", </tool>, `${x}`, \u2028 and half a \ud83d';
    for (const name of ["__proto__", "constructor", "../../etc/passwd", "a\nb", "🙂".repeat(40), "x".repeat(128)]) {
      const tools = tool({ type: "object", properties: {} }, name, description);
      for (const wire of [toAnthropicTools(tools), toOpenAiTools(tools), toMcpTools(tools)]) {
        const [sent] = wire.tools;
        expect(sent?.name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
        expect(wire.names.fromWire(sent?.name ?? "")).toBe(name);
        expect(sent?.description).toBe(description.replace("\ud83d", "\ufffd"));
      }
    }
    const { content } = toAnthropicResults([{ name: "t" }], [success("cut \ud83d")]);
    expect(content[0]?.content).toBe("cut \ufffd");
  });
});

describe("decode()", () => {
  it("ends with a value for which each level fits every branch", () => {
    const node = { type: "object", properties: { v: { type: "string" }, in: { $ref: "#/$defs/N" } } };
    const other = {
      type: "object",
      properties: { w: { type: "string" }, in: { $ref: "#/$defs/N" }, v: node.properties.v },
    };
    const parameters = {
      type: "object",
      properties: { x: { $ref: "#/$defs/N" } },
      $defs: { N: { anyOf: [node, other] } },
    };
    const wire = toOpenAiTools(tool(parameters), { strict: true });
    expect(wire.report[0]?.strict).toBe(true);
    const text = `${'{"v":null,"in":'.repeat(300)}null${"}".repeat(300)}`;
    const item = { type: "function_call", call_id: "c", name: "t", arguments: `{"x":${text}}` };
    expect(fromOpenAiResponse([item], wire)).toHaveLength(1);
  });

  it("leaves what does not fit the schema to the registry", () => {
    const properties = {
      a: { type: "string" },
      u: { anyOf: [{ type: "object", properties: { b: {} } }, { type: "null" }] },
    };
    const wire = toOpenAiTools(tool({ type: "object", properties }), { strict: true });
    for (const value of [null, 3, "x", [], [null], { a: 3, z: null }]) expect(wire.decode("t", value)).toEqual(value);
    expect(wire.decode("unknown", { a: null })).toEqual({ a: null });
  });
});

describe("the subpaths", () => {
  const directory = path.dirname(fileURLToPath(import.meta.url));
  const subpaths = ["anthropic", "openai", "openai-agents", "gemini", "ai-sdk", "mastra", "lint"];

  it("need no SDK and nothing of Node at run time", () => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(file, "utf8");
      const imports = [...text.matchAll(/^(?:import|export)(?! type)[^;]*? from "([^"]+)";$/gm)].map(
        (match) => match[1],
      );
      for (const target of imports.filter((name) => !name?.startsWith("@dispatch/tools-interface"))) {
        expect(`${path.basename(file)} -> ${target}`).toMatch(/ -> \.\.?\//);
        visit(path.resolve(path.dirname(file), target ?? ""));
      }
    };
    for (const name of subpaths) visit(path.join(directory, `${name}.ts`));
    // Every file beside them belongs to one of them.
    const sources = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
      /^(?!__fixtures__).*(?<!\.test|\.test-d|-types)\.ts$/.test(name),
    );
    expect(sources.filter((name) => !seen.has(path.join(directory, name)))).toEqual([]);
  });
});
