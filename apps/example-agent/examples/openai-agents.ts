/** An agent over the OpenAI Agents SDK, with tools for the files of the current directory. Needs OPENAI_API_KEY. */
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry, createTranscript } from "@dispatch/tools-interface";
import { toOpenAiAgentsTools } from "@dispatch/tools-interface/openai";
import { Agent, AgentsError, run, setTracingDisabled, tool } from "@openai/agents";

const MAX_TURNS = 20;

setTracingDisabled(true);
const registry = registerFileTools(createToolRegistry());
const transcript = createTranscript();
const options = toOpenAiAgentsTools(registry, { context: { worktreePath: process.cwd() }, transcript });
const agent = new Agent({
  name: "Files",
  model: "gpt-5.5",
  instructions: "You work on the files of one directory.",
  tools: options.map((one) => tool(one)),
});

try {
  const { finalOutput } = await run(agent, process.argv[2] ?? "What is in this directory?", { maxTurns: MAX_TURNS });
  console.log(finalOutput);
  console.error(`Done: ${transcript.entries.length} calls`);
} catch (error) {
  // A cut-off answer ends the run before any of its calls is executed; so do too many turns.
  if (!(error instanceof AgentsError)) throw error;
  console.error(`Stopped: ${error.message}`);
  process.exitCode = 1;
}
