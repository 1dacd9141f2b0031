import { openAiTurns, toOpenAiTools } from "@dispatch/providers/openai";
/** An agent over OpenAI's Responses API, with tools for the files of the current directory. Needs OPENAI_API_KEY. */
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry, createTranscript, runTools } from "@dispatch/tools-interface";
import OpenAI from "openai";

const client = new OpenAI();
const registry = registerFileTools(createToolRegistry());
const wire = toOpenAiTools(registry);
const transcript = createTranscript();
const input: OpenAI.Responses.ResponseInputItem[] = [
  { role: "user", content: process.argv[2] ?? "What is in this directory?" },
];

const { end, reason } = await runTools(registry, {
  ...openAiTurns(input, wire),
  async ask(signal) {
    // Nothing is stored at OpenAI: the whole conversation goes along, reasoning included in encrypted form.
    const kept = { store: false, include: ["reasoning.encrypted_content" as const] };
    const response = await client.responses.create({ model: "gpt-5.5", input, tools: wire.tools, ...kept }, { signal });
    if (response.error) throw new Error(`Cannot go on: the response failed: ${response.error.message}`);
    const parts = response.output.flatMap((item) => (item.type === "message" ? item.content : []));
    for (const part of parts) console.log(part.type === "refusal" ? part.refusal : part.text);
    return response;
  },
  context: { worktreePath: process.cwd() },
  transcript,
  maxTurns: 20,
  maxCutOffs: 1,
});
console.error(`${end === "done" ? "Done" : `Stopped (${reason ?? end})`}: ${transcript.entries.length} calls`);
