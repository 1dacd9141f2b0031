import process from "node:process";
import { keepCompiledCode } from "./compiled-code.ts";
import { HELP, readOptions } from "./options.ts";

/** Runs the command line. */
export async function main(): Promise<void> {
  try {
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
