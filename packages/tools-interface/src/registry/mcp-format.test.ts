import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool, failure, success } from "../index.ts";
import { fromMcpCall, toMcpResult, toMcpTools } from "./mcp-format.ts";

const request = JSON.parse(
  readFileSync(new URL("./__fixtures__/mcp-tools-call.json", import.meta.url), "utf8"),
) as unknown;

const weather = defineTool({
  name: "weather.get",
  description: "The weather in a city.",
  parameters: z.object({ city: z.string() }),
  output: z.object({ degrees: z.number() }),
  annotations: { readOnly: true, openWorld: true },
  execute: () => success("15 degrees", { data: { degrees: 15 } }),
});
const list = defineTool({
  name: "files/list",
  description: "Lists files.",
  parameters: z.object({}),
  output: z.array(z.string()),
  execute: () => ["a"],
});
const registry = createToolRegistry().register([weather, list]);

describe("toMcpTools()", () => {
  it("writes the documented shape: output schema and hints only where the tool declares them", () => {
    const { tools } = toMcpTools(registry);
    expect(tools).toEqual([
      {
        name: "weather.get",
        description: "The weather in a city.",
        inputSchema: weather.parameters,
        outputSchema: weather.output,
        annotations: { readOnlyHint: true, openWorldHint: true },
      },
      { name: "files_list", description: "Lists files.", inputSchema: list.parameters },
    ]);
  });

  it("keeps tuples readable by draft 7, where items: false alone would refuse every item", () => {
    const pair = z.tuple([z.string(), z.number()]);
    const closed = { prefixItems: [{}, {}], items: false, maxItems: 2 };
    const tool = defineTool({
      name: "pairs",
      description: "Pairs.",
      parameters: {
        type: "object",
        properties: { only: { const: closed }, open: { prefixItems: [{}], items: false } },
      },
      output: z.object({ pairs: z.array(pair) }),
      execute: () => success("", { data: { pairs: [] } }),
    });
    const [{ inputSchema, outputSchema } = {}] = toMcpTools([tool]).tools;
    expect(inputSchema).toEqual(tool.parameters);
    expect(outputSchema?.["properties"]).toMatchObject({
      pairs: { items: { prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2, maxItems: 2 } },
    });
    expect(JSON.stringify(outputSchema)).not.toContain('"items":false');
    expect(JSON.stringify(tool.output)).toContain('"items":false');
  });
});

describe("fromMcpCall()", () => {
  it("reads a request or its params and leaves the connection's id alone", () => {
    const wire = toMcpTools(registry);
    const call = { name: "weather.get", arguments: { city: "New York" } };
    expect(fromMcpCall(request, wire)).toEqual(call);
    expect(fromMcpCall(call, wire)).toEqual(call);
    expect(fromMcpCall({ name: "files_list" }, wire)).toEqual({ name: "files/list", arguments: undefined });
    for (const other of [undefined, null, 3, {}, { params: null }]) expect(fromMcpCall(other, wire).name).toBe("");
  });

  it("gives calls that a registry runs", async () => {
    const result = await registry.dispatch(fromMcpCall(request, toMcpTools(registry)));
    expect(toMcpResult(result)).toEqual({
      content: [{ type: "text", text: "15 degrees" }],
      structuredContent: { degrees: 15 },
    });
  });
});

describe("toMcpResult()", () => {
  it("writes images and failures, data only when it is an object, and never metadata", () => {
    const metadata: Record<string, unknown> = { key: "SECRET" };
    metadata["self"] = metadata;
    const image = { type: "image", data: "aW1n", mimeType: "image/svg+xml" } as const;
    expect(toMcpResult(success("x", { content: [image], data: ["a"], metadata }))).toEqual({ content: [image] });
    expect(toMcpResult(success("x", { data: new Date(0) }))).toEqual({ content: [{ type: "text", text: "x" }] });
    expect(toMcpResult(success("x", { data: metadata }))).toEqual({ content: [{ type: "text", text: "x" }] });
    expect(toMcpResult(failure("", { code: "timeout", metadata }))).toEqual({
      content: [{ type: "text", text: "timeout" }],
      isError: true,
    });
  });
});
