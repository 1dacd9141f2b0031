import { HELP, readOptions } from "../setup/options.ts";

/** Reads the command line, then opens the environment of the run and runs the agent in it. Returns the exit code. */
export async function startAgent(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const options = readOptions(args);
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const { openRunEnvironment } = await import("../setup/run-environment.ts");
  const environment = await openRunEnvironment(options, env);
  try {
    const { runAgentCommand } = await import("./run-agent-command.ts");
    return await runAgentCommand(environment, options, env);
  } finally {
    await environment.close();
  }
}
