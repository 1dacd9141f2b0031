import { openAiChatTurns, toOpenAiChatTools } from "@dispatch/providers/openai";
/**
 * An agent over Chat Completions, as Ollama, vLLM and llama.cpp speak it, with tools for the files of the current
 * directory. OPENAI_BASE_URL names another server than the local Ollama.
 */
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry, createTranscript, runTools } from "@dispatch/tools-interface";
import OpenAI from "openai";

const baseURL = process.env["OPENAI_BASE_URL"] ?? "http://localhost:11434/v1";
const client = new OpenAI({ baseURL, apiKey: process.env["OPENAI_API_KEY"] ?? "none" });
const registry = registerFileTools(createToolRegistry());
const wire = toOpenAiChatTools(registry);
const transcript = createTranscript();
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "user", content: process.argv[2] ?? "What is in this directory?" },
];

const { end, reason } = await runTools(registry, {
  ...openAiChatTurns(messages, wire),
  async ask(signal) {
    const completion = await client.chat.completions.create(
      { model: "qwen3", messages, tools: wire.tools },
      { signal },
    );
    const message = completion.choices[0]?.message;
    if (message?.content || message?.refusal) console.log(message.content || message.refusal);
    return completion;
  },
  context: { worktreePath: process.cwd() },
  transcript,
  maxTurns: 20,
  maxCutOffs: 1,
});
console.error(`${end === "done" ? "Done" : `Stopped (${reason ?? end})`}: ${transcript.entries.length} calls`);
