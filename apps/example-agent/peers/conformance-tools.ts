import { setTimeout } from "node:timers/promises";
import { createToolRegistry, defineTool, success, type AnyToolRegistry } from "@dispatch/tools-interface";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
const file = { type: "file", data: "aGVsbG8=", mimeType: "text/plain", name: "hello.txt" } as const;
const none = { type: "object", properties: {} } as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;

/** The tools that the conformance runner asks a server for, as far as tools of this repository can be such. */
export function createConformanceTools(): AnyToolRegistry {
  return createToolRegistry().register([
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
