import { describe, expect, test } from "vitest";
import { chooseModel } from "./choose-model.ts";

const key = "test";

describe("chooseModel()", () => {
  test.each([
    [undefined, {}, "scripted"],
    [undefined, { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key }, "anthropic:claude-opus-5-5"],
    [undefined, { OPENAI_API_KEY: key }, "openai:gpt-5.5"],
    ["scripted", { ANTHROPIC_API_KEY: key }, "scripted"],
    ["anthropic:x", { ANTHROPIC_API_KEY: key }, "anthropic:x"],
    ["openai:qwen3:8b", { OPENAI_BASE_URL: "http://localhost:11434/v1" }, "openai:qwen3:8b"],
  ])("takes %j with %j for %s", async (named, environment, name) => {
    expect((await chooseModel(named, environment)).name).toBe(name);
  });

  test.each([
    ["anthropic:x", {}, "Cannot use the model anthropic:x: ANTHROPIC_API_KEY is not set"],
    ["openai", {}, "neither OPENAI_API_KEY nor OPENAI_BASE_URL is set"],
    [undefined, { OPENAI_BASE_URL: "http://localhost:11434/v1" }, "name a model of that server"],
    ["gemini:x", {}, "allowed are scripted, anthropic:NAME and openai:NAME"],
  ])("refuses %j with %j", async (named, environment, why) => {
    await expect(chooseModel(named, environment)).rejects.toThrow(why);
  });
});
