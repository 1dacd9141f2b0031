import { Console } from "node:console";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { openToolbox } from "../agent/toolbox.ts";
import { hostTools } from "../host-tools/host-tools.ts";
import { refuseInside } from "../session/session-directory.ts";
import { readConfiguration } from "../setup/configuration.ts";
import { useDirectory } from "../setup/workspace.ts";
import { chooseToken } from "./access.ts";
import { createCatalogues } from "./catalogue.ts";
import { createLog, type Log } from "./log.ts";
import { MCP_HELP, readMcpOptions, TOKEN_VARIABLE } from "./mcp-options.ts";
import { createMcpServer, type Era, type McpParts } from "./mcp-server.ts";
import { serveHttp } from "./serve-http.ts";
import { SuspendedCalls } from "./suspended-calls.ts";

/** Serves the tools to MCP clients until stdin ends or the process is told to end. Answers the exit code. */
export async function runMcp(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const options = readMcpOptions(args);
  const { workspace: directory, memory, port, verbose, help } = options;
  if (help) {
    process.stdout.write(MCP_HELP);
    return 0;
  }
  // Stdout belongs to the protocol, whatever a package may think.
  globalThis.console = new Console(process.stderr);
  const log = createLog(verbose);
  const told = toldToEnd();
  const workspace = directory === undefined ? undefined : (await useDirectory(directory)).path;
  if (workspace !== undefined && memory !== undefined) refuseInside(workspace, memory, "the memory");
  const token = port === undefined ? undefined : chooseToken(environment[TOKEN_VARIABLE]);
  // Where a client may name any directory, its agent may write into any.
  const configuration = await readConfiguration(options, environment, workspace ?? "/");
  for (const note of configuration.notes) log.warn(note);
  // A client need not wait for the memory before it may shake hands.
  const toolbox = openToolbox({ memory });
  const suspended = new SuspendedCalls();
  try {
    const steward = toolbox.then((opened) => opened.steward);
    const catalogueFor = createCatalogues(async (canAsk) =>
      (await toolbox).registryWith(hostTools({ ...configuration, canAsk })),
    );
    const parts: McpParts = { steward, catalogueFor, workspace, memory, suspended, load: { calls: 0 }, log };
    // Rejects when the tools cannot be made.
    const ended = Promise.race([told, steward.then(() => told)]);
    ended.catch(() => {});
    if (port === undefined || token === undefined) await overStdio(parts, ended);
    else await overHttp(parts, { port, token, printed: environment[TOKEN_VARIABLE] === undefined }, ended);
  } finally {
    suspended.close();
    await (await toolbox).close();
  }
  return 0;
}

async function overStdio(parts: McpParts, ended: Promise<void>): Promise<void> {
  const { log } = parts;
  const transport = new StdioServerTransport();
  const handle = serveStdio(({ era }) => createMcpServer(parts, era), { transport, onerror: problemsTo(log) });
  const gone = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) process.stdin.once(event, resolve);
    process.stdout.once("error", resolve);
    // It also gives up by itself, as when a message is longer than anything that is meant.
    const { onclose } = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  log.detail("serves over stdin and stdout");
  try {
    await Promise.race([ended, gone]);
  } finally {
    await handle.close();
    process.stdin.destroy();
  }
}

async function overHttp(
  parts: McpParts,
  { port, token, printed }: { readonly port: number; readonly token: string; readonly printed: boolean },
  ended: Promise<void>,
): Promise<void> {
  const { log } = parts;
  const createServer = (era: Era): Server => createMcpServer(parts, era);
  const listener = await serveHttp({ port, token, createServer, onError: problemsTo(log) });
  log.say(`serves at ${listener.url}`);
  if (printed) log.say(`token ${token}`);
  try {
    await ended;
  } finally {
    await listener.close();
  }
}

/** A client that says something wrong is answered; whoever runs the server need not hear of it. */
function problemsTo(log: Log): (error: Error) => void {
  return (error) => log.detail(`! ${error.message.slice(0, 300)}`);
}

/** Settles once the process is told to end. Told again, it ends at once. */
function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    let times = 0;
    const onSignal = (): void => {
      if ((times += 1) > 1) process.exit(130);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal);
  });
}
