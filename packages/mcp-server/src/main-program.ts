import process from "node:process";
import { keepCompiledCode } from "./compiled-code.ts";
import { HELP, MEMORY_COMMAND, readOptions } from "./options.ts";

/** Runs the command line. */
export async function main(): Promise<void> {
  try {
    const [command, ...given] = process.argv.slice(2);
    if (command === "memory") {
      const { runProgram } = await import("@dispatch/tool-memory/command-line");
      return await runProgram(given, MEMORY_COMMAND);
    }
    const options = readOptions(process.argv.slice(2), process.env);
    if (options.help) process.stdout.write(HELP);
    else {
      keepCompiledCode(options.workspace);
      // Loaded once the command line is right.
      await (await import("./run-server.ts")).runServer(options);
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
