import { fromGeminiResponse, toGeminiResults, toGeminiTools } from "@dispatch/providers/gemini";
import type { Content, FunctionCall, FunctionDeclaration, GenerateContentConfig } from "@google/genai";
import type { GenerateContentResponse, Part, Tool } from "@google/genai";
import { expectTypeOf, test } from "vitest";
import { createToolbox } from "./toolbox.ts";

const registry = createToolbox();

test("toGeminiTools() writes tools as the SDK takes them", () => {
  const { tools } = toGeminiTools(registry);
  expectTypeOf(tools).toExtend<Tool[]>();
  expectTypeOf(tools).toExtend<NonNullable<GenerateContentConfig["tools"]>>();
  expectTypeOf(tools[0]?.functionDeclarations ?? []).toExtend<FunctionDeclaration[]>();
  // @ts-expect-error the declarations are in a tool, not tools themselves
  expectTypeOf(toGeminiTools(registry).tools).toExtend<FunctionDeclaration[]>();
});

test("fromGeminiResponse() reads what the SDK's response holds", () => {
  expectTypeOf<FunctionCall>().toExtend<{ id?: string; name?: string; args?: Record<string, unknown> }>();
  expectTypeOf<Part>().toHaveProperty("functionCall").toEqualTypeOf<FunctionCall | undefined>();
  expectTypeOf<GenerateContentResponse>().toHaveProperty("candidates");
  // @ts-expect-error arguments are no text
  expectTypeOf<FunctionCall>().toExtend<{ args?: string }>();
  expectTypeOf(fromGeminiResponse).toBeCallableWith({} as GenerateContentResponse, toGeminiTools(registry));
});

test("toGeminiResults() writes a content as the SDK takes it", () => {
  const content = toGeminiResults([], []);
  expectTypeOf(content).toExtend<Content>();
  expectTypeOf(content.parts).toExtend<Part[]>();
  // @ts-expect-error results come from the user's side
  expectTypeOf(content).toExtend<{ role: "model" }>();
});
