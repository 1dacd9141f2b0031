import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";

/** The directory of the repository: absolute. */
export const root = path.dirname(path.dirname(import.meta.dirname));

/** The result of a command. */
export interface Outcome {
  /** Whether the command ended with exit code 0. */
  readonly ok: boolean;
  /** Its standard output and standard error, in the order it arrived. */
  readonly output: string;
}

/** How a command is run. */
export interface RunOptions {
  /** Working directory, absolute; default: the root of the repository. */
  readonly cwd?: string;
  /** Write output through to this process as it comes, instead of keeping it; default `false`. */
  readonly inherit?: boolean;
}

/**
 * Runs a program with the tools of the workspace and then of the gate first on the path, and no standard input.
 *
 * @returns The result; a program that cannot be started is an outcome that is not ok. Never rejects.
 */
export function runCommand(program: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { cwd = root, inherit = false } = options;
  const bins = [path.join(root, "node_modules/.bin"), path.join(root, ".ci/node_modules/.bin")];
  const env = {
    ...process.env,
    PATH: [...bins, process.env["PATH"]].join(path.delimiter),
    TURBO_TELEMETRY_DISABLED: "1",
    ...(process.stdout.isTTY && !process.env["NO_COLOR"] ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }),
  };
  return new Promise((resolve) => {
    const output: Buffer[] = [];
    const child = spawn(program, args, { cwd, env, stdio: inherit ? "inherit" : ["ignore", "pipe", "pipe"] });
    child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => output.push(chunk));
    child.on("error", (error) => resolve({ ok: false, output: `Cannot run ${program}: ${error.message}` }));
    child.on("close", (code) => resolve({ ok: code === 0, output: Buffer.concat(output).toString() }));
  });
}
