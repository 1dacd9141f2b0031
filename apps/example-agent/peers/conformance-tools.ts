import { setTimeout } from "node:timers/promises";
import type { McpForm } from "@dispatch/mcp/server";
import { createToolRegistry, defineTool, success, type AnyTool, type AnyToolRegistry } from "@dispatch/tools-interface";
import { asking } from "./asking.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
const file = { type: "file", data: "aGVsbG8=", mimeType: "text/plain", name: "hello.txt" } as const;
const none = { type: "object", properties: {} } as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;

/** A tool that shows a form of its own, and answers what the person did. */
function formTool(name: string, fields: McpForm["fields"]): AnyTool {
  return defineTool({
    name,
    description: "Shows a form.",
    parameters: none,
    context: asking,
    async execute(_, { context: { user }, signal }) {
      if (user === undefined) return "Nobody can be asked";
      const answer = await user.showForm({ text: "Please fill in", fields, signal });
      return `Elicitation completed: ${JSON.stringify(answer)}`;
    },
  });
}

const options = ["option1", "option2", "option3"];
const titled = [
  { const: "value1", title: "First" },
  { const: "value2", title: "Second" },
];

/** The tools that the conformance runner asks a server for. Their context holds the client's `user`. */
export function createConformanceTools(): AnyToolRegistry {
  return createToolRegistry().register([
    formTool("test_elicitation_sep1034_defaults", {
      type: "object",
      properties: {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      },
    }),
    formTool("test_elicitation_sep1330_enums", {
      type: "object",
      properties: {
        untitledSingle: { type: "string", enum: options },
        titledSingle: { type: "string", oneOf: titled },
        legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["One", "Two"] },
        untitledMulti: { type: "array", items: { type: "string", enum: options } },
        titledMulti: { type: "array", items: { anyOf: titled } },
      },
    }),
    defineTool({
      name: "json_schema_2020_12_tool",
      description: "Has words of JSON Schema 2020-12.",
      parameters: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: {
          address: {
            $anchor: "address",
            type: "object",
            properties: { street: { type: "string" }, city: { type: "string" } },
          },
        },
        properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
        allOf: [{ anyOf: [{ required: ["name"] }, { required: ["address"] }] }],
        if: { required: ["address"] },
        then: { required: ["address"] },
        else: { required: ["name"] },
        additionalProperties: false,
      },
      execute: () => "done",
    }),
    defineTool({
      name: "test_reconnection",
      description: "Takes a moment.",
      parameters: none,
      async execute() {
        await setTimeout(300);
        return "done";
      },
    }),
    defineTool({
      name: "test_simple_text",
      description: "Answers a text.",
      parameters: none,
      execute: () => "This is a simple text response for testing.",
    }),
    defineTool({
      name: "test_image_content",
      description: "Answers an image.",
      parameters: none,
      execute: () => success("The image:", { content: [{ type: "text", text: "The image:" }, image] }),
    }),
    defineTool({
      name: "test_audio_content",
      description: "Answers a recording.",
      parameters: none,
      execute: () => success("A recording", { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }),
    }),
    defineTool({
      name: "test_embedded_resource",
      description: "Answers a file.",
      parameters: none,
      execute: () => success("A file", { content: [file] }),
    }),
    defineTool({
      name: "test_multiple_content_types",
      description: "Answers a text, an image and a file.",
      parameters: none,
      execute: () => success("Several", { content: [{ type: "text", text: "Several:" }, image, file] }),
    }),
    defineTool({
      name: "test_error_handling",
      description: "Fails.",
      parameters: none,
      execute() {
        throw new Error("This tool intentionally returns an error for testing");
      },
    }),
    defineTool({
      name: "test_tool_with_progress",
      description: "Says how far it has come.",
      parameters: none,
      async execute(_, { progress }) {
        for (const done of [0, 50, 100]) {
          progress({ message: "works", done, total: 100 });
          await setTimeout(50);
        }
        return "done";
      },
    }),
    defineTool({
      name: "test_elicitation",
      description: "Needs a person's approval.",
      parameters: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
      needsApproval: true,
      execute: () => "approved",
    }),
  ]);
}
