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

let outcome = `Stopped after ${MAX_TURNS} turns`;
for (let turn = 0; turn < MAX_TURNS; turn += 1) {
  // Nothing is stored at OpenAI: the whole conversation goes along, reasoning included in encrypted form.
  const response = await client.responses.create({
    model: "gpt-5.5",
    input,
    tools: wire.tools,
    store: false,
    include: ["reasoning.encrypted_content"],
  });
  if (response.error) throw new Error(`Cannot go on: the response failed: ${response.error.message}`);
  const refusal = response.output
    .flatMap((item) => (item.type === "message" ? item.content : []))
    .find((part) => part.type === "refusal")?.refusal;
  const reason = refusal ? "refusal" : (response.incomplete_details?.reason ?? response.status);
  if (reason === "max_output_tokens") {
    // The last call may be incomplete, so none is executed and the answer does not enter the conversation.
    input.push({ role: "user", content: "Your answer was cut off and nothing in it was run. Take smaller steps." });
    continue;
  }
  input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
  if (response.output_text || refusal) console.log(response.output_text || refusal);

  // The calls of a response that did not end as `completed` may be halves.
  const calls = reason === "completed" ? fromOpenAiResponse(response, wire) : [];
  if (calls.length === 0) {
    outcome = reason === "completed" ? "Done" : `Stopped (${reason})`;
    break;
  }
  input.push(...toOpenAiResults(calls, await registry.dispatchAll(calls, { context, transcript })));
}
console.error(`${outcome}: ${transcript.entries.length} calls`);
