import { refuseInside } from "../session/session-directory.ts";
import { useDirectory } from "../setup/workspace.ts";
import { chooseToken } from "./choose-token.ts";
import { MCP_HELP, readMcpOptions, TOKEN_VARIABLE } from "./mcp-options.ts";

/** Reads the command line of `mcp`, then loads and runs the server. Returns the exit code. */
export async function runMcp(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const options = readMcpOptions(args);
  if (options.help) {
    process.stdout.write(MCP_HELP);
    return 0;
  }
  const { memory, port } = options;
  const workspace = options.workspace === undefined ? undefined : (await useDirectory(options.workspace)).path;
  if (workspace !== undefined && memory !== undefined) refuseInside(workspace, memory, "the memory");
  const token = port === undefined ? undefined : chooseToken(environment[TOKEN_VARIABLE]);
  const { serveMcp } = await import("./serve-mcp.ts");
  await serveMcp({ ...options, workspace, token }, environment);
  return 0;
}
