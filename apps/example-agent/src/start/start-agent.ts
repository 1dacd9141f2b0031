import { HELP, readOptions } from "../setup/options.ts";

/** Reads the command line, then loads and runs the agent. Returns the exit code. */
export async function startAgent(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const options = readOptions(args);
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const { runAgentCommand } = await import("./run-agent-command.ts");
  return runAgentCommand(options, env);
}
