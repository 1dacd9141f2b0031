import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { runProgram, userPath } from "./run-program.ts";

/** The Node that runs the tests: the path of its program, absolute. */
export const pinnedNode = process.execPath;

let found: Promise<{ readonly program: string; readonly version: string } | undefined> | undefined;

/** The machine's Node, first on a user's path; `undefined` when it is older than `oldest`, or none. */
export async function findSystemNode(oldest = "20.19"): Promise<string | undefined> {
  const node = await (found ??= lookForNode());
  if (node === undefined) return undefined;
  const [major = 0, minor = 0] = node.version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor) ? node.program : undefined;
}

async function lookForNode() {
  const program = userPath
    .split(path.delimiter)
    .map((directory) => path.join(directory, "node"))
    .find((file) => existsSync(file));
  if (program === undefined) return undefined;
  const version = await runProgram(program, ["--print", "process.versions.node"], path.dirname(program));
  return { program, version };
}
