import type { Host } from "./setup/host.ts";
import { HELP, readOptions } from "./setup/options.ts";

/**
 * Runs a front end, chosen by the first argument; each is loaded only when it is used. What it cannot do is said on stderr.
 *
 * @param args - The command line's arguments.
 * @param host - The process, whose environment the vendors' SDKs read too.
 * @returns The exit code.
 */
export async function main(args: readonly string[], host: Host): Promise<number> {
  const [command, ...rest] = args;
  try {
    if (command === "mcp") return await (await import("./mcp/run-mcp.ts")).runMcp(rest, host);
    if (command === "sessions") return (await import("./start/show-sessions.ts")).showSessions(rest, host);
    const options = readOptions(args);
    if (!options.help) return await (await import("./start/run-agent-command.ts")).runAgentCommand(options, host);
    host.stdout.write(HELP);
    return 0;
  } catch (error) {
    host.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process);
