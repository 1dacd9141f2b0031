import { toOpenAiAgentsSettings } from "@dispatch/providers/openai-agents";
/** An agent over the OpenAI Agents SDK, with tools for the files of the current directory. Needs OPENAI_API_KEY. */
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry, createTranscript } from "@dispatch/tools-interface";
import { Agent, AgentsError, run, setTracingDisabled, tool } from "@openai/agents";

setTracingDisabled(true);
const transcript = createTranscript();
const agent = new Agent({
  name: "Files",
  model: "gpt-5.5",
  instructions: "You work on the files of one directory.",
  ...toOpenAiAgentsSettings(tool, registerFileTools(createToolRegistry()), { transcript }),
});

try {
  const context = { worktreePath: process.cwd() };
  const { finalOutput } = await run(agent, process.argv[2] ?? "What is in this directory?", { context, maxTurns: 20 });
  console.log(finalOutput);
  console.error(`Done: ${transcript.entries.length} calls`);
} catch (error) {
  // A cut-off answer ends the run before any of its calls is executed; so do too many turns.
  if (!(error instanceof AgentsError)) throw error;
  console.error(`Stopped: ${error.message}`);
  process.exitCode = 1;
}
