import { refuseInside } from "../session/session-directory.ts";
import type { Host } from "../setup/host.ts";
import { useDirectory } from "../setup/workspace.ts";
import { MCP_HELP, readMcpOptions, TOKEN_VARIABLE } from "./mcp-options.ts";

/** Reads the command line of `mcp`, then loads and runs the server. Returns the exit code. */
export async function runMcp(args: readonly string[], { env, stdout }: Host): Promise<number> {
  const options = readMcpOptions(args);
  if (options.help) {
    stdout.write(MCP_HELP);
    return 0;
  }
  const { memory } = options;
  const workspace = (await useDirectory(options.workspace)).path;
  if (memory !== undefined) refuseInside(workspace, memory, "the memory");
  const { serveTools } = await import("./serve-mcp.ts");
  await serveTools({ ...options, workspace, token: env[TOKEN_VARIABLE] }, env);
  return 0;
}
