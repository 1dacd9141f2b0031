import type { JsonSchema } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { fromOpenAiResponse, toOpenAiTools } from "../openai.ts";

function toolWith(assignee: JsonSchema, required: readonly string[] = []): { parameters: JsonSchema } {
  return { parameters: { type: "object", properties: { assignee }, required } };
}

function compiled(tool: { parameters: JsonSchema }): ReturnType<typeof toOpenAiTools> {
  return toOpenAiTools([{ name: "update", description: "Updates an issue.", ...tool }], { strict: true });
}

const marker = {
  type: "object",
  properties: { leave_out: { type: "boolean", enum: [true] } },
  required: ["leave_out"],
  additionalProperties: false,
};

describe("a field that may be null and may be left out, on OpenAI strict", () => {
  it("goes out with a way to leave it out beside null", () => {
    const wire = compiled(toolWith({ type: ["string", "null"], description: "Who does it" }));
    expect(wire.tools[0]?.parameters["properties"]).toEqual({
      assignee: {
        description: 'Who does it ({"leave_out":true} leaves it out, null is a value)',
        anyOf: [{ type: ["string", "null"] }, marker],
      },
    });
    expect(wire.report[0]).toMatchObject({
      strict: true,
      changes: [
        { path: "#", keyword: "additionalProperties", kind: "narrowed" },
        { keyword: "required", kind: "widened" },
      ],
    });
  });

  it("comes back absent, null or as a value, as the model meant it", () => {
    const wire = compiled(toolWith({ anyOf: [{ type: "string" }, { type: "null" }] }));
    const sent = [{ assignee: { leave_out: true } }, { assignee: null }, { assignee: "ada" }];
    const output = sent.map((params) => ({
      type: "function_call",
      call_id: "1",
      name: "update",
      arguments: JSON.stringify(params),
    }));
    expect(fromOpenAiResponse({ output }, wire).map((call) => call.arguments)).toEqual([
      {},
      { assignee: null },
      { assignee: "ada" },
    ]);
  });

  it("goes out as it is where it must be there, or where null means nothing else", () => {
    const required = compiled(toolWith({ type: ["string", "null"] }, ["assignee"]));
    expect(required.tools[0]?.parameters["properties"]).toEqual({ assignee: { type: ["string", "null"] } });
    const plain = compiled(toolWith({ type: "string" }));
    expect(plain.tools[0]?.parameters["properties"]).toEqual({ assignee: { type: ["string", "null"] } });
    expect(plain.decode("update", { assignee: { leave_out: true } })).toEqual({ assignee: { leave_out: true } });
  });

  it("is not made strict where it has a field of that name itself, also behind references", () => {
    const own = { type: "object", properties: { leave_out: { type: "boolean" } }, required: ["leave_out"] };
    const field = { anyOf: [{ $ref: "#/$defs/own" }, { type: "null" }] };
    const $defs = { own: { allOf: [{ ...own, additionalProperties: false }] } };
    const parameters = { type: "object", properties: { assignee: field }, $defs };
    const wire = compiled({ parameters });
    expect(wire.report[0]).toMatchObject({ strict: false, notStrict: expect.stringContaining("leave_out") as unknown });
    expect(wire.decode("update", { assignee: { leave_out: true } })).toEqual({ assignee: { leave_out: true } });
  });
});
