import path from "node:path";
import process from "node:process";
import { runProgram } from "./run-program.ts";

/** Runs pnpm as a user would: the one that runs the tests where it is a program, else the one that npx brings. */
export async function runPnpm(args: readonly string[], cwd: string): Promise<string> {
  return runProgram(await pnpm(), args, cwd);
}

let store: Promise<string> | undefined;

/** The directory of the packages that the repository was installed from. On another file system pnpm would fetch them anew. */
export async function storeDirectory(): Promise<string> {
  store ??= runPnpm(["store", "path"], import.meta.dirname);
  return (await store).trim();
}

let found: Promise<string> | undefined;

/** The path of pnpm. npx is asked once, because it takes longer than pnpm itself. */
function pnpm(): Promise<string> {
  const starter = process.env["npm_execpath"] ?? "";
  found ??=
    path.basename(starter) === "pnpm"
      ? Promise.resolve(starter)
      : runProgram("npx", ["--yes", "--package", "pnpm", "--call", "command -v pnpm"], process.cwd());
  return found.then((text) => text.trim());
}
