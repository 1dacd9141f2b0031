#!/usr/bin/env node
import { runCli } from "./run-cli.ts";

const { stdin, stdout, stderr, env, argv } = process;
stdin.setEncoding("utf8");
// A reader that closes the pipe early, such as `head`, is not an error.
stdout.on("error", () => process.exit(0));
const colour = stdout.isTTY && !env["NO_COLOR"];
const write = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(text);
process.exitCode = await runCli(
  argv.slice(2),
  { input: stdin as AsyncIterable<string>, output: write(stdout), errors: write(stderr), colour },
  env,
);
