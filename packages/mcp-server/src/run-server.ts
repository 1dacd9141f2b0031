import { Console } from "node:console";
import process from "node:process";
import { serveMcp } from "@dispatch/mcp/server";
import { registerCodeTool } from "@dispatch/tool-code";
import { createFileHistory, createUndoTool, registerFileTools } from "@dispatch/tool-files";
import { registerMemoryTools } from "@dispatch/tool-memory";
import { createToolRegistry, type ToolEvent } from "@dispatch/tools-interface";
import { describeResult, oneLine } from "@dispatch/tools-interface/display";
import { memoryAt, workspaceAt } from "./directories.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { lazyMemory } from "./lazy-memory.ts";
import { lazyRuntime } from "./lazy-runtime.ts";
import { MEMORY_COMMAND, type Options } from "./options.ts";
import { ownTemporaryDirectory } from "./own-temporary-directory.ts";

/** How long everything may take to end by itself after a signal, in milliseconds. */
const GRACE_MS = 200;
/** Limits of one program: enough calls to read every file of a mid-sized project, and an hour, because people approve some. */
const PROGRAM_LIMITS = { calls: 5_000, totalMs: 3_600_000 };

/** Serves until stdin ends or the process receives a signal. */
export async function runServer(options: Options): Promise<void> {
  const { port, token, structuredOutput, verbose } = options;
  // Stdout belongs to the protocol, even if a package logs to the console.
  globalThis.console = new Console(process.stderr);
  const log = (text: string): void => void process.stderr.write(`${oneLine(text)}\n`);
  const worktreePath = workspaceAt(options.workspace);
  const removeTemporary = ownTemporaryDirectory();
  const directory = options.memory === undefined ? undefined : memoryAt(options.memory, worktreePath);
  const memory = lazyMemory(directory, () =>
    log(`a change of the memory waits for you: ${MEMORY_COMMAND} pending --memory ${directory}`),
  );
  const runtime = lazyRuntime(log);
  const history = createFileHistory();
  const files = registerFileTools(createToolRegistry(), { history }).register(createUndoTool(history));
  const registry = registerMemoryTools(files, memory, {
    howToApprove: `"${MEMORY_COMMAND} pending --memory <dir>" shows what waits, "… approve <id>" and "… reject <id> <reason>" decide, <dir> being this server's --memory`,
  });
  registerCodeTool(registry, { runtime, limits: PROGRAM_LIMITS });

  const logCall = (event: ToolEvent): void => {
    if (!verbose || event.type !== "call-end" || event.parentCallId !== undefined) return;
    const { name, result, durationMs } = event;
    log(`${result.success ? "✓" : "✗"} ${name} ${Math.round(durationMs)} ms ${describeResult(result).slice(0, 100)}`);
  };
  const serving = await serveMcp(registry, {
    name: "dispatch",
    title: "Dispatch: files, memory and code",
    instructions: INSTRUCTIONS,
    context: { worktreePath, memorySource: "tool" as const },
    transport: port === undefined ? "stdio" : { port, token },
    structuredOutput,
    dispatch: (call, given, { user }) =>
      memory.during(
        { user, signal: given.signal ?? new AbortController().signal, writes: call.name === "memory_write" },
        () =>
          registry.dispatch(call, {
            ...given,
            context: { worktreePath, memorySource: "tool" },
            onEvent(event) {
              given.onEvent?.(event);
              logCall(event);
            },
          }),
      ),
    onError: ({ message }) => verbose && log(`! ${message.slice(0, 300)}`),
  });
  if (serving.url !== undefined) log(`serves at ${serving.url}`);
  if (serving.token !== undefined && token === undefined) log(`token ${serving.token}`);

  const close = async (): Promise<void> => {
    await Promise.allSettled([serving.close(), runtime.close(), memory.close()]);
    removeTemporary();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      // Work that does not end in time ends with the process; `exit` removes the leftovers.
      setTimeout(() => process.exit(0), GRACE_MS);
      void close().then(() => process.exit(0));
    });
  }
  await serving.closed;
  await close();
}
