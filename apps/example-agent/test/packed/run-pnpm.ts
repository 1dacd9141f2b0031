import path from "node:path";
import process from "node:process";
import { runProgram } from "./run-program.ts";

/** Runs pnpm as a user would: the one that runs the tests where it is a program, else the one that npx brings. */
export function runPnpm(args: readonly string[], cwd: string): Promise<string> {
  const starter = process.env["npm_execpath"] ?? "";
  if (path.basename(starter) === "pnpm") return runProgram(starter, args, cwd);
  return runProgram("npx", ["--yes", "pnpm", ...args], cwd);
}
