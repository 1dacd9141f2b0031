import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { runProgram, userPath } from "./run-program.ts";

/** The Node that runs the tests: the path of its program, absolute. */
export const pinnedNode = process.execPath;

let found: Promise<string | undefined> | undefined;

/** The machine's Node, first on a user's path; `undefined` when it is older than the packages support, or none. */
export function findSystemNode(): Promise<string | undefined> {
  return (found ??= lookForNode());
}

async function lookForNode(): Promise<string | undefined> {
  const program = userPath
    .split(path.delimiter)
    .map((directory) => path.join(directory, "node"))
    .find((file) => existsSync(file));
  if (program === undefined) return undefined;
  const version = await runProgram(program, ["--print", "process.versions.node"], path.dirname(program));
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 20 || (major === 20 && minor >= 19) ? program : undefined;
}
