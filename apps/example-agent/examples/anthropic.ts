/** An agent over Anthropic's Messages API, with tools for the files of the current directory. Needs ANTHROPIC_API_KEY. */
import Anthropic from "@anthropic-ai/sdk";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry, createTranscript } from "@dispatch/tools-interface";
import { fromAnthropicMessage, toAnthropicResults, toAnthropicTools } from "@dispatch/tools-interface/anthropic";

const MAX_TURNS = 20;

const client = new Anthropic();
const registry = registerFileTools(createToolRegistry());
const wire = toAnthropicTools(registry);
const context = { worktreePath: process.cwd() };
const transcript = createTranscript();
const messages: Anthropic.MessageParam[] = [{ role: "user", content: process.argv[2] ?? "What is in this directory?" }];

let outcome = `Stopped after ${MAX_TURNS} turns`;
for (let turn = 0; turn < MAX_TURNS; turn += 1) {
  const message = await client.messages.create({
    model: "claude-opus-5-5",
    max_tokens: 16_000,
    messages,
    tools: wire.tools,
  });
  const reason = message.stop_reason;
  if (reason === "max_tokens") {
    // The last call may be incomplete, so none is executed and the answer does not enter the conversation.
    messages.push({ role: "user", content: "Your answer was cut off and nothing in it was run. Take smaller steps." });
    continue;
  }
  messages.push({ role: "assistant", content: message.content });
  for (const block of message.content) if (block.type === "text") console.log(block.text);

  // `pause_turn`: the model goes on with its answer. Any other reason but `tool_use` is an end; its calls may be halves.
  if (reason === "pause_turn") continue;
  const calls = reason === "tool_use" ? fromAnthropicMessage(message, wire) : [];
  if (calls.length === 0) {
    outcome = reason === "end_turn" ? "Done" : `Stopped (${reason})`;
    break;
  }
  const results = await registry.dispatchAll(calls, { context, transcript });
  messages.push(toAnthropicResults(calls, results));
}
console.error(`${outcome}: ${transcript.entries.length} calls`);
