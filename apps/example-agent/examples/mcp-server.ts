import { serveMcp } from "@dispatch/mcp/server";
/** An MCP server over stdio, with tools for the files of the current directory. It ends when its client closes stdin. */
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";

// Approval of calls that need it uses MCP elicitation: the client asks its user.
const registry = registerFileTools(createToolRegistry());
await serveMcp(registry, { name: "files", version: "1.0.0", context: { worktreePath: process.cwd() } });
