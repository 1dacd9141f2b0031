/** An agent over OpenAI's Responses API, with tools for the files of the current directory. Needs OPENAI_API_KEY. */
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry, createTranscript } from "@dispatch/tools-interface";
import { fromOpenAiResponse, toOpenAiResults, toOpenAiTools } from "@dispatch/tools-interface/openai";
import OpenAI from "openai";

const MAX_TURNS = 20;

const client = new OpenAI();
const registry = registerFileTools(createToolRegistry());
const wire = toOpenAiTools(registry);
const context = { worktreePath: process.cwd() };
const transcript = createTranscript();
const input: OpenAI.Responses.ResponseInputItem[] = [
  { role: "user", content: process.argv[2] ?? "What is in this directory?" },
];

let isDone = false;
for (let turn = 0; turn < MAX_TURNS && !isDone; turn += 1) {
  // Nothing is stored at OpenAI: the whole conversation goes along, reasoning included in encrypted form.
  const response = await client.responses.create({
    model: "gpt-5.5",
    input,
    tools: wire.tools,
    store: false,
    include: ["reasoning.encrypted_content"],
  });
  if (response.status === "incomplete") {
    // The last call may be incomplete, so none is executed and the answer does not enter the conversation.
    input.push({ role: "user", content: "Your answer was cut off and nothing in it was run. Take smaller steps." });
    continue;
  }
  if (response.status !== "completed") throw new Error(`Cannot go on: the response ended as ${response.status}`);
  input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
  if (response.output_text !== "") console.log(response.output_text);

  const calls = fromOpenAiResponse(response, wire);
  isDone = calls.length === 0;
  input.push(...toOpenAiResults(calls, await registry.dispatchAll(calls, { context, transcript })));
}
console.error(`${isDone ? "Done" : `Stopped after ${MAX_TURNS} turns`}: ${transcript.entries.length} calls`);
