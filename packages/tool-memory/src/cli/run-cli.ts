import { existsSync } from "node:fs";
import process from "node:process";
import { ToolError } from "@dispatch/tools-interface";
import { openMemory } from "../memory/open-memory.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { toRequest, UsageError, type CliRequest, commands, createPrinter, type CliStreams } from "./commands.ts";

/**
 * Runs the command line of this process and sets its exit code.
 *
 * @param argv the command and its arguments. Default: those of the process.
 * @param program the name by which people start it.
 *
 * @example
 * ```ts
 * await runProgram(["pending", "--memory", "./memory"], "my-agent memory");
 * ```
 */
export async function runProgram(argv: readonly string[] = process.argv.slice(2), program?: string): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  stdin.setEncoding("utf8");
  // A reader that closes the pipe early, such as `head`, is not an error.
  stdout.on("error", () => process.exit(0));
  const colour = stdout.isTTY && !env["NO_COLOR"];
  const write = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(text);
  const streams = { input: stdin as AsyncIterable<string>, output: write(stdout), errors: write(stderr), colour };
  process.exitCode = await runCli(argv, streams, env, program);
}

/**
 * Runs one command line.
 *
 * @returns the exit code: 0 done, 1 refused or not found, 2 wrong usage, 3 the memory cannot be opened.
 *
 * @example
 * ```ts
 * const streams = { input: process.stdin, output: console.log, errors: console.error, colour: false };
 * process.exitCode = await runCli(["list", "--memory", "./memory"], streams, process.env);
 * ```
 */
export async function runCli(
  argv: readonly string[],
  streams: CliStreams,
  env: Readonly<Record<string, string | undefined>>,
  program = "dispatch-memory",
): Promise<number> {
  try {
    const request = toRequest(argv);
    if (request.command === "help") {
      streams.output(HELP.replaceAll("dispatch-memory", () => program));
      return 0;
    }
    return await runCommand(request, streams, env);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    streams.errors(`${escapeInvisible(text, "\t\n")}\n`);
    if (error instanceof UsageError) {
      streams.errors(`See ${program} help\n`);
      return 2;
    }
    return ToolError.isInstance(error) && error.code.startsWith("memory_") ? 3 : 1;
  }
}

async function runCommand(
  request: CliRequest,
  streams: CliStreams,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { options, command } = request;
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (run === undefined) throw new UsageError(`there is no command ${JSON.stringify(command)}`);
  const url = options.memory ?? env["DISPATCH_MEMORY"] ?? "./memory";
  // Only an import may create a memory.
  if (command !== "import" && !/^[a-z][a-z0-9+.-]+:/i.test(url) && !existsSync(url)) {
    streams.errors(`There is no memory in ${escapeInvisible(url)}; name one with --memory\n`);
    return 3;
  }
  const memory = await openMemory(url, { owner: options.owner, person: options.as });
  const print = createPrinter(streams);
  const show = (result: object, printed: () => void): boolean => {
    if (options.json === true) streams.output(`${escapeInvisible(JSON.stringify(result))}\n`);
    else printed();
    return !("outcome" in result) || !["refused", "conflict"].includes(String(result.outcome));
  };
  try {
    const { input, output } = streams;
    return (await run({ ...request, memory, print, show, input, output })) ? 0 : 1;
  } finally {
    await memory.close();
  }
}

/** The output of `dispatch-memory help`. */
const HELP = `dispatch-memory: look after the memory of an agent

Usage: dispatch-memory COMMAND [arguments] [options]

  pending                       proposals that wait for you, each with its diff
  approve ID... | --all         carry proposals out
                                --edit FILE approves one with another text
  reject ID REASON              turn a proposal down; the agent reads the reason
  vouch LABEL                   make a block's text your own word: it is shown, and trusted from then on
  extend ID DAYS                give a proposal more time
  list                          every block; --tier core|working|archival
  show LABEL                    one block with its whole text
  history [LABEL]               changes, latest first
                                --limit N --actor NAME --session NAME --since TIME
  undo SEQ...                   reverse changes, all of them or none
  undo --actor NAME | --session NAME [--since TIME]
  export [FILE]                 everything as JSON Lines
  backup DIRECTORY              copy a memory of a directory, all owners, while it is used
  import FILE                   add the texts of an export ("-" reads what is piped in)
                                --restore brings a backup of your own back whole
  forget LABEL | --actor NAME | --match TEXT
                                delete for good; needs --yes
  verify                        check that nobody changed the history
                                --head SEQ:HASH checks a head noted earlier, too
  help                          this text

Options:
  --memory URL    a directory or a postgres:// URL; default $DISPATCH_MEMORY, else ./memory
  --owner NAME    whose memory; default "default"
  --as NAME       your name in the history; default "person"
  --reason TEXT   said in the history
  --json          results as JSON, one value a line

Colours are off where NO_COLOR is set or the output is no terminal.
Exit codes: 0 done, 1 refused or not found, 2 wrong usage, 3 the memory cannot be opened.

Examples:
  dispatch-memory pending --memory ./agent-memory
  dispatch-memory approve 3f2a --reason "as agreed"
  dispatch-memory undo --actor researcher --since 2026-01-31T14:00:00Z
  dispatch-memory export backup.jsonl
  dispatch-memory import backup.jsonl --restore --memory ./copy
  dispatch-memory forget --match ann@example.com --yes
`;
