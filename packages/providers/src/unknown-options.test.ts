import { readFileSync } from "node:fs";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";
import { toAiSdkSettings } from "./ai-sdk.ts";
import { toAnthropicRunner, toAnthropicTools } from "./anthropic.ts";
import { toGeminiTools } from "./gemini.ts";
import { lintTools } from "./lint.ts";
import { toMastraSettings } from "./mastra.ts";
import { toOpenAiAgentsRunSettings, toOpenAiAgentsSettings } from "./openai-agents.ts";
import { toOpenAiChatTools, toOpenAiTools } from "./openai.ts";

const act = defineTool({ name: "act", description: "Acts.", parameters: z.object({}), execute: () => "" });
const registry = createToolRegistry().register(act);

type Case = readonly [misspelt: string, meant: string, use: (options: never) => unknown];

/** A public function that takes options, with a misspelt option. */
const TAKES_OPTIONS: Readonly<Record<string, Case>> = {
  toAiSdkSettings: ["aprove", "approve", (given) => toAiSdkSettings(registry, given)],
  toMastraSettings: ["transcrip", "transcript", (given) => toMastraSettings(registry, given)],
  toAnthropicRunner: ["aprove", "approve", (given) => toAnthropicRunner(registry, given)],
  toAnthropicTools: ["strct", "strict", (given) => toAnthropicTools(registry, given)],
  toOpenAiAgentsRunSettings: ["onEvnt", "onEvent", (given) => toOpenAiAgentsRunSettings(registry, given)],
  toOpenAiAgentsSettings: ["stric", "strict", (given) => toOpenAiAgentsSettings((one) => one, registry, given)],
  toOpenAiChatTools: ["stric", "strict", (given) => toOpenAiChatTools(registry, given)],
  toOpenAiTools: ["program", "programs", (given) => toOpenAiTools(registry, given)],
  toGeminiTools: ["loadd", "loaded", (given) => toGeminiTools(registry, given)],
  lintTools: ["target", "targets", (given) => lintTools(registry, given)],
};

/** The public functions that take no options. */
const TAKES_NONE = `anthropicTurns collectGeminiStream fromAiSdkModel fromAnthropicMessage
fromGeminiResponse fromOpenAiChatCompletion fromOpenAiResponse geminiTurns openAiChatTurns
openAiTurns stopLoop toAnthropicResults toGeminiResults toOpenAiChatResults toOpenAiResults`.split(/\s+/);

test.each(Object.entries(TAKES_OPTIONS))("%s names the option that was meant", async (_, [misspelt, meant, use]) => {
  const said = await (async () => use({ [misspelt]: undefined } as never))().then(String, String);
  expect(said).toContain(`found the option "${misspelt}", did you mean "${meant}"`);
});

test("every public function is among those above", async () => {
  const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const paths = Object.keys(exports).filter((path) => !path.endsWith("json"));
  const modules = await Promise.all(
    paths.map((path) => import(`@dispatch/providers${path.slice(1)}`) as Promise<Record<string, unknown>>),
  );
  const isError = (value: { readonly prototype?: unknown }): boolean => value.prototype instanceof Error;
  const functions = modules.flatMap((found) =>
    Object.entries(found).flatMap(([name, value]) => (typeof value === "function" && !isError(value) ? [name] : [])),
  );
  expect([...new Set(functions)].toSorted()).toEqual([...Object.keys(TAKES_OPTIONS), ...TAKES_NONE].toSorted());
});

test.each<[string, (names: readonly string[]) => unknown]>([
  ["strict", (strict) => toAnthropicTools(registry, { strict })],
  ["strict", (strict) => toAnthropicRunner(registry, { strict })],
  ["eagerInputStreaming", (names) => toAnthropicTools([act], { eagerInputStreaming: names })],
  ["inputExamples", ([name = ""]) => toAnthropicTools(registry, { inputExamples: { [name]: [] } })],
  ["strict", (strict) => toOpenAiTools(registry, { strict })],
  ["strict", (strict) => toOpenAiChatTools([act], { strict })],
  ["strict", (strict) => toOpenAiAgentsSettings((one) => one, registry, { strict })],
])("%s refuses the name of a tool that there is not (%#)", (option, use) => {
  expect(() => use(["act"])).not.toThrow();
  expect(() => use(["atc"])).toThrow(`${option} names the tool "atc", did you mean "act"`);
  expect(() => use(["zz"])).toThrow(`${option} names the tool "zz", allowed are the names of the tools`);
});

test("toAiSdkSettings() refuses a version that there is not", () => {
  expect(() => toAiSdkSettings(registry, { version: 5 as never }).tools).toThrow("allowed are 6 and 7");
});
