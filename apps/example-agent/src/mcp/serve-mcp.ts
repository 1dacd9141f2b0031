import { Console } from "node:console";
import { serveMcp } from "@dispatch/mcp/server";
import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { describeResult } from "@dispatch/tools-interface/display";
import { openToolbox } from "../agent/toolbox.ts";
import { hostTools } from "../host-tools/host-tools.ts";
import { readConfiguration } from "../setup/configuration.ts";
import { duration } from "../text/duration.ts";
import { createLog } from "./log.ts";
import { MCP_INSTRUCTIONS } from "./mcp-instructions.ts";
import type { McpOptions } from "./mcp-options.ts";
import { createDispatch } from "./run-call.ts";

export interface ServeOptions extends McpOptions {
  /** Absolute path with links resolved. */
  readonly workspace: string;
  /** The token of clients over HTTP. `undefined`: a new one, which is printed. */
  readonly token: string | undefined;
}

/** Serves the agent's tools to MCP clients until stdin ends or the process receives a signal. */
export async function serveTools(options: ServeOptions, environment: NodeJS.ProcessEnv): Promise<void> {
  const { workspace, memory, port, token, structuredOutput, verbose } = options;
  // Stdout belongs to the protocol, even if a package logs to the console.
  globalThis.console = new Console(process.stderr);
  const log = createLog(verbose);
  const told = untilSignal();
  const configuration = await readConfiguration(options, environment, workspace);
  for (const note of configuration.notes) log.warn(note);
  // A client may shake hands before the memory is open.
  const toolbox = openToolbox({ memory, onWarning: (text) => log.warn(text) });
  const registries = new Map<boolean, AnyToolRegistry>();
  const dispatch = createDispatch(async () => ({
    worktree: workspace,
    steward: (await toolbox).steward,
    onEnd: ({ name, result, durationMs }) => {
      const mark = result.success ? "✓" : "✗";
      log.detail(`${mark} ${name} ${duration(durationMs)} ${describeResult(result).slice(0, 100)}`);
    },
  }));
  try {
    const serving = await serveMcp(
      async ({ canAsk }) => {
        const registry =
          registries.get(canAsk) ?? (await toolbox).registryWith(hostTools({ ...configuration, canAsk }));
        registries.set(canAsk, registry);
        return registry;
      },
      {
        name: "dispatch-example-agent",
        title: "Dispatch: files, memory and code",
        instructions: MCP_INSTRUCTIONS,
        transport: port === undefined ? "stdio" : { port, token },
        structuredOutput,
        dispatch,
        onError: ({ message }) => log.detail(`! ${message.slice(0, 300)}`),
      },
    );
    if (serving.url === undefined) log.detail("serves over stdin and stdout");
    else log.say(`serves at ${serving.url}`);
    if (serving.token !== undefined && token === undefined) log.say(`token ${serving.token}`);
    // Rejects when the tools cannot be made.
    await Promise.race([toolbox.then(() => told), serving.closed]).finally(() => serving.close());
  } finally {
    await (await toolbox).close();
  }
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
