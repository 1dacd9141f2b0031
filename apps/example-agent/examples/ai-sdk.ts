/** An agent over the AI SDK, with tools for the files of the current directory. Needs OPENAI_API_KEY. */
import { openai } from "@ai-sdk/openai";
import { stopLoop, toAiSdkSettings } from "@dispatch/providers/ai-sdk";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry, createTranscript } from "@dispatch/tools-interface";
import { generateText, isStepCount } from "ai";

const registry = registerFileTools(createToolRegistry());
const transcript = createTranscript();
const { text, finishReason } = await generateText({
  model: openai("gpt-5.5"),
  prompt: process.argv[2] ?? "What is in this directory?",
  ...toAiSdkSettings(registry, { context: { worktreePath: process.cwd() }, transcript }),
  stopWhen: [isStepCount(20), stopLoop],
});
console.log(text);
// `length`: the answer was cut off. `tool-calls`: the steps are used up, or a call waits for approval.
console.error(`${finishReason === "stop" ? "Done" : `Stopped (${finishReason})`}: ${transcript.entries.length} calls`);
