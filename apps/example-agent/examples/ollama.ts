/**
 * An agent over Chat Completions, as Ollama, vLLM and llama.cpp speak it, with tools for the files of the current
 * directory. OPENAI_BASE_URL names another server than the local Ollama.
 */
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry, createTranscript } from "@dispatch/tools-interface";
import { fromOpenAiChatCompletion, toOpenAiChatResults, toOpenAiChatTools } from "@dispatch/tools-interface/openai";
import OpenAI from "openai";

const MAX_TURNS = 20;

const baseURL = process.env["OPENAI_BASE_URL"] ?? "http://localhost:11434/v1";
const client = new OpenAI({ baseURL, apiKey: process.env["OPENAI_API_KEY"] ?? "none" });
const registry = registerFileTools(createToolRegistry());
const wire = toOpenAiChatTools(registry);
const context = { worktreePath: process.cwd() };
const transcript = createTranscript();
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "user", content: process.argv[2] ?? "What is in this directory?" },
];

let outcome = `Stopped after ${MAX_TURNS} turns`;
for (let turn = 0; turn < MAX_TURNS; turn += 1) {
  const completion = await client.chat.completions.create({ model: "qwen3", messages, tools: wire.tools });
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error("Cannot go on: the completion has no choice");
  if (choice.finish_reason === "length") {
    // The last call may be incomplete, so none is executed and the answer does not enter the conversation.
    messages.push({ role: "user", content: "Your answer was cut off and nothing in it was run. Take smaller steps." });
    continue;
  }
  messages.push(choice.message);
  const { content, refusal } = choice.message;
  if (content || refusal) console.log(content || refusal);

  // Some servers send calls with `stop`. With any other reason but `tool_calls` they may be halves.
  const reason = refusal ? "refusal" : choice.finish_reason;
  const isWhole = reason === "tool_calls" || reason === "stop";
  const calls = isWhole ? fromOpenAiChatCompletion(choice.message, wire) : [];
  if (calls.length === 0) {
    outcome = reason === "stop" ? "Done" : `Stopped (${reason})`;
    break;
  }
  messages.push(...toOpenAiChatResults(calls, await registry.dispatchAll(calls, { context, transcript })));
}
console.error(`${outcome}: ${transcript.entries.length} calls`);
