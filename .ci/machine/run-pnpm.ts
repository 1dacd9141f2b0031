import path from "node:path";
import process from "node:process";
import { runCommand, type Outcome, type RunOptions } from "./run-command.ts";

/** Runs pnpm: the one that started this process, else the one that npx brings. */
export function runPnpm(args: readonly string[], options?: RunOptions): Promise<Outcome> {
  const starter = process.env["npm_execpath"] ?? "";
  if (!path.basename(starter).startsWith("pnpm")) return runCommand("npx", ["--yes", "pnpm", ...args], options);
  if (/\.[cm]?js$/.test(starter)) return runCommand(process.execPath, [starter, ...args], options);
  return runCommand(starter, args, options);
}
