import { parseArgs } from "node:util";
import type { Options } from "../setup/options.ts";

/** The options of the command line of `mcp`. */
export interface McpOptions extends Pick<Options, "skills" | "webSearch"> {
  /** Directory to work in, in place. */
  readonly workspace: string;
  /** Directory that keeps the memory. `undefined`: thrown away at the end. */
  readonly memory: string | undefined;
  /** Port on the loopback interface, 0 for any that is free. `undefined`: stdio. */
  readonly port: number | undefined;
  /** Whether clients get data beside text. */
  readonly structuredOutput: boolean;
  /** Whether every call is logged. */
  readonly verbose: boolean;
  readonly help: boolean;
}

/** Where a token is looked for. */
export const TOKEN_VARIABLE = "DISPATCH_MCP_TOKEN";

export const MCP_HELP = `Files, memory and a code sandbox for any MCP client, all from @dispatch packages.

Usage
  npx pnpm --silent start mcp [options]

Speaks the Model Context Protocol over stdin and stdout; a client starts it and ends it. What happens is told on
stderr. Calls that need a person's approval are asked of the person at the client, where the client can ask
(elicitation); elsewhere they are refused.

Options
  --workspace <dir>   Work in this directory, in place      (default: the current directory)
  --memory <dir>      Keep the memory in this directory     (default: thrown away at the end)
  --skills <dir>      Directory of skills; may be given several times
  --web-search <url>  Search the web with this SearXNG   (default: by the environment, as without mcp)
  --http <port>       Serve streamable HTTP at http://127.0.0.1:<port>/mcp instead; 0 takes a free port. Whoever calls
                      needs the token that is printed at the start, or the one in ${TOKEN_VARIABLE}
  --structured-output Give clients each tool's data beside its text; many then show their model the data alone
  --verbose           Tell of every call on stderr
  --help              This text

Examples
  npx pnpm --silent start mcp --workspace ./my-project
  npx pnpm --silent start mcp --workspace ./my-project --memory ~/.local/share/my-memory
  npx pnpm --silent start mcp --workspace ./my-project --http 8123

In a client's configuration, with absolute paths:
  { "command": "npx", "args": ["--yes", "pnpm", "--dir", "/path/to/dispatch", "--silent", "start", "mcp",
                               "--workspace", "/path/to/my-project"] }
`;

/** Reads the arguments after `mcp`. Throws an error fit to be shown as it is. */
export function readMcpOptions(args: readonly string[]): McpOptions {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      workspace: { type: "string", default: "." },
      memory: { type: "string" },
      skills: { type: "string", multiple: true, default: [] },
      "web-search": { type: "string" },
      http: { type: "string" },
      "structured-output": { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const { workspace, memory, skills, "web-search": webSearch, http, verbose, help } = values;
  const structuredOutput = values["structured-output"];
  const port = http === undefined ? undefined : readPort(http);
  return { workspace, memory, skills, webSearch, port, structuredOutput, verbose, help };
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`Cannot read --http: found "${text}", allowed are ports from 0 to 65535`);
}
