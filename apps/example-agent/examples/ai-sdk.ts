/** An agent over the AI SDK, with tools for the files of the current directory. Needs OPENAI_API_KEY. */
import { openai } from "@ai-sdk/openai";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry, createTranscript } from "@dispatch/tools-interface";
import { toAiSdkTools } from "@dispatch/tools-interface/ai-sdk";
import { generateText, stepCountIs } from "ai";

const MAX_STEPS = 20;

const registry = registerFileTools(createToolRegistry());
const transcript = createTranscript();
const tools = toAiSdkTools(registry, { context: { worktreePath: process.cwd() }, transcript });

const { text, finishReason } = await generateText({
  model: openai("gpt-5.5"),
  prompt: process.argv[2] ?? "What is in this directory?",
  tools,
  stopWhen: stepCountIs(MAX_STEPS),
});
console.log(text);
// `length`: the answer was cut off, and the AI SDK ended the loop. `tool-calls`: the steps are used up.
console.error(`${finishReason === "stop" ? "Done" : `Stopped (${finishReason})`}: ${transcript.entries.length} calls`);
