/** An agent over Anthropic's Messages API, with tools for the files of the current directory. Needs ANTHROPIC_API_KEY. */
import Anthropic from "@anthropic-ai/sdk";
import { anthropicTurns, toAnthropicTools } from "@dispatch/providers/anthropic";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry, createTranscript, runTools } from "@dispatch/tools-interface";

const client = new Anthropic();
const registry = registerFileTools(createToolRegistry());
const wire = toAnthropicTools(registry);
const transcript = createTranscript();
const messages: Anthropic.MessageParam[] = [{ role: "user", content: process.argv[2] ?? "What is in this directory?" }];

const { end, reason } = await runTools(registry, {
  ...anthropicTurns(messages, wire),
  async ask(signal) {
    const request = { model: "claude-opus-5-5", max_tokens: 16_000, messages, tools: wire.tools };
    const message = await client.messages.create(request, { signal });
    for (const block of message.content) if (block.type === "text") console.log(block.text);
    return message;
  },
  context: { worktreePath: process.cwd() },
  transcript,
  maxTurns: 20,
  maxCutOffs: 1,
});
console.error(`${end === "done" ? "Done" : `Stopped (${reason ?? end})`}: ${transcript.entries.length} calls`);
