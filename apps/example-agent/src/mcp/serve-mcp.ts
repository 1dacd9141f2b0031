import { Console } from "node:console";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { openToolbox } from "../agent/toolbox.ts";
import { hostTools } from "../host-tools/host-tools.ts";
import { readConfiguration } from "../setup/configuration.ts";
import { createCatalogues } from "./catalogue.ts";
import { createLog, type Log } from "./log.ts";
import { TOKEN_VARIABLE, type McpOptions } from "./mcp-options.ts";
import { createMcpServer, type Era, type McpParts } from "./mcp-server.ts";
import { serveHttp } from "./serve-http.ts";
import { SuspendedCalls } from "./suspended-calls.ts";

export interface ServeOptions extends McpOptions {
  /** Required where a port is served. */
  readonly token: string | undefined;
}

/**
 * Serves the tools to MCP clients until stdin ends or the process receives a signal.
 *
 * @param options - `workspace` is an absolute path with links resolved.
 */
export async function serveMcp(options: ServeOptions, environment: NodeJS.ProcessEnv): Promise<void> {
  const { workspace, memory, port, token, verbose } = options;
  // Stdout belongs to the protocol, even if a package logs to the console.
  globalThis.console = new Console(process.stderr);
  const log = createLog(verbose);
  const told = untilSignal();
  // Where a client may name any directory, its agent may write into any.
  const configuration = await readConfiguration(options, environment, workspace ?? "/");
  for (const note of configuration.notes) log.warn(note);
  // A client may shake hands before the memory is open.
  const toolbox = openToolbox({ memory, onWarning: (text) => log.warn(text) });
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

/** Protocol errors are answered to the client and logged only with `--verbose`. */
function problemsTo(log: Log): (error: Error) => void {
  return (error) => log.detail(`! ${error.message.slice(0, 300)}`);
}

/** Settles at the first signal to end. A second one ends the process at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let times = 0;
    const onSignal = (): void => {
      if ((times += 1) > 1) process.exit(130);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal);
  });
}
