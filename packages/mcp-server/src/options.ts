import { parseArgs } from "node:util";

/** The command line's options. */
export interface Options {
  /** Directory to work in. */
  readonly workspace: string;
  /** Directory that keeps the memory. `undefined`: thrown away at the end. */
  readonly memory: string | undefined;
  /** Port on the loopback interface, 0 for any that is free. `undefined`: stdio. */
  readonly port: number | undefined;
  /** The token of clients over HTTP. `undefined`: a new one, which is printed. */
  readonly token: string | undefined;
  /** Whether clients get data beside text. */
  readonly structuredOutput: boolean;
  /** Whether every call is logged. */
  readonly verbose: boolean;
  readonly help: boolean;
}

const TOKEN_VARIABLE = "DISPATCH_MCP_TOKEN";

/** How a person looks after the memory. */
export const MEMORY_COMMAND = "npx -y @dispatch/mcp-server memory";

/** For `--help`. */
export const HELP = `Files, memory and programs in a sandbox for any MCP client, over stdin and stdout.

Usage
  npx -y @dispatch/mcp-server --workspace <dir> [options]
  ${MEMORY_COMMAND} <command> --memory <dir>

Calls that need a person's approval are asked of the person at the client, where the client can ask (elicitation);
elsewhere they are refused. Changes of core memory wait in the directory of --memory instead: "memory pending" shows
them, "memory approve" and "memory reject" decide, "memory help" lists the other commands.

Options
  --workspace <dir>    Work in this directory, in place    (default: the current directory)
  --memory <dir>       Keep the memory in this directory   (default: thrown away at the end)
  --http <port>        Serve streamable HTTP at http://127.0.0.1:<port>/mcp instead; 0 takes a free port. Requests need
                       the token that is printed at the start, or the one in ${TOKEN_VARIABLE}
  --structured-output  Give clients each tool's data beside its text; many then show their model the data alone
  --verbose            Tell of every call on stderr
  --help               This text
`;

/** @throws {Error} Fit to be shown as it is. */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      workspace: { type: "string", default: "." },
      memory: { type: "string" },
      http: { type: "string" },
      "structured-output": { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const { workspace, memory, http, verbose, help } = values;
  if (memory === "") throw new Error("Cannot read --memory: found nothing, name a directory");
  const port = http === undefined ? undefined : readPort(http);
  const token = environment[TOKEN_VARIABLE];
  return { workspace, memory, port, token, structuredOutput: values["structured-output"], verbose, help };
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`Cannot read --http: found "${text}", allowed are ports from 0 to 65535`);
}
