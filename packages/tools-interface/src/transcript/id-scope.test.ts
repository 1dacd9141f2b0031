import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isNumberedId } from "./recorded-result.ts";

const DIGITS = "0123456789";
const LOWER = `abcdefghijklmnopqrstuvwxyz${DIGITS}`;
const ALL = `${LOWER}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");

/** How each vendor, server or library makes the id of a call. */
const RANDOM: Readonly<Record<string, () => string>> = {
  Mistral: () => pick(ALL, 9),
  Ollama: () => `call_${pick(LOWER, 8)}`,
  "Gemini, short": () => pick(LOWER, 8),
  "Gemini, of Google's SDK": () => `adk-${randomUUID()}`,
  "AI SDK, generateId()": () => pick(ALL, 16),
  OpenAI: () => `call_${pick(ALL, 24)}`,
  "OpenAI, items": () => `fc_${randomBytes(24).toString("hex")}`,
  Anthropic: () => `toolu_01${pick(ALL, 22)}`,
  Bedrock: () => `tooluse_${randomBytes(16).toString("base64url")}`,
  Groq: () => `call_${pick(LOWER, 4)}`,
  DeepSeek: () => `call_00_${pick(ALL, 24)}`,
  Cohere: () => `get_weather_${pick(LOWER, 12)}`,
  vLLM: () => `chatcmpl-tool-${randomBytes(16).toString("hex")}`,
  "llama.cpp": () => pick(ALL, 32),
  nanoid: () => pick(`${ALL}_-`, 21),
  UUID: () => randomUUID(),
};

test.each(Object.entries(RANDOM))("isNumberedId() takes no id of %s for a number", (_vendor, make) => {
  const ids = Array.from({ length: 10_000 }, make);
  expect(ids.filter((id) => isNumberedId(id, "search"))).toEqual([]);
});

test.each([
  "0",
  "12",
  "call_0",
  "call_120",
  "call-7",
  "tool_call_3",
  "functions.search:0",
  "functions.getWeather2:11",
  "step.4",
  "search",
])("isNumberedId() takes %s for one", (id) => expect(isNumberedId(id, "search")).toBe(true));

test.each(["github/list.issues", "github_list_issues", "github-list_issues"])(
  "isNumberedId() takes %s, the name of the called tool as providers write it, for one",
  (id) => expect(isNumberedId(id, "github/list.issues")).toBe(true),
);

test.each([
  "",
  "call_",
  "call",
  "1234",
  "call_1234",
  "call_0_a",
  "0call",
  "a1",
  "Call_0x1",
  "call__0",
  "-0",
  `${"a".repeat(1_000_000)}0`,
])("isNumberedId() takes %.20s for none", (id) => expect(isNumberedId(id, "search")).toBe(false));
