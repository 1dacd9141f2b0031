#!/usr/bin/env node
import process from "node:process";
import { HELP, readOptions } from "./options.ts";

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) process.stdout.write(HELP);
  // Loaded once the command line is right.
  else await (await import("./run-server.ts")).runServer(options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
