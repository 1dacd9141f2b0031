import { execFile } from "node:child_process";
import path from "node:path";
import process from "node:process";

/** The directories of the path that no package put there: those of a user's own shell. */
export const userPath = (process.env["PATH"] ?? "")
  .split(path.delimiter)
  .filter((directory) => !directory.split(path.sep).includes("node_modules"))
  .join(path.delimiter);

/**
 * Variables that the test runner, npm and pnpm set for the programs they start, except those for reaching the registry;
 * and keys.
 */
const NOT_THE_USERS =
  /^npm_(?!config_(?:registry|cafile|cache|proxy|https_proxy|noproxy)$)|^pnpm_|^vitest|^NODE_(?!EXTRA)|^INIT_CWD$|_API_KEY$/i;

const userEnv = Object.fromEntries(
  Object.entries({ ...process.env, PATH: userPath }).filter(([name]) => !NOT_THE_USERS.test(name)),
);

/**
 * Runs a program to its end, with no standard input.
 *
 * @param env - The environment; default: that of a user's own shell.
 * @returns Its standard output.
 * @throws An `Error` with all its output, when it ends with another code than 0.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = userEnv,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd, env, maxBuffer: 64e6 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`Cannot run ${[program, ...args].join(" ")}: ${error.message}\n${stdout}\n${stderr}`));
    });
    child.stdin?.end();
  });
}

/**
 * Runs an example by this Node, in a directory where it finds its packages and leaves its files. Returns its output.
 */
export function runExample(node: string, file: string, directory: string): Promise<string> {
  return runProgram(node, [file], directory, { ...userEnv, TMPDIR: directory });
}
