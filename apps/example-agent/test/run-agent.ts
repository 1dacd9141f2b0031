import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The result of a program. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run a program. */
interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the directory of the test run. */
  readonly cwd?: string;
  /** Text after which it is interrupted, once. */
  readonly interruptAt?: RegExp;
  /** How. Default `SIGINT`, as by Ctrl-C. */
  readonly by?: NodeJS.Signals;
  /** Its standard input, through a pipe. Default: nothing. */
  readonly input?: string;
}

/** The program. */
export const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** How Node runs a program from source. Optimizing the embedded database costs a short process more than it saves. */
export const nodeOptions: readonly string[] = ["--conditions=@dispatch/source", "--liftoff-only"];

/** This process's environment without variables that would choose a model, a place for sessions, or colours. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(CI|FORCE_COLOR|NO_COLOR|XDG_(STATE|CONFIG)_HOME|(ANTHROPIC|OPENAI|DISPATCH|BRAVE)_.*)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}

/** Runs the example agent as a person would, in a process of its own. */
export function runAgent(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return runNode([main, ...args], options);
}

/** Runs a program of ours to its end, from source. */
export function runNode(
  args: readonly string[],
  { env = {}, cwd, interruptAt, by = "SIGINT", input }: RunOptions = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [...nodeOptions, ...args], {
    env: { ...plainEnvironment(), ...env },
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  const text = { stdout: "", stderr: "" };
  let interrupted = false;
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
      if (interrupted || interruptAt?.test(text[name]) !== true) return;
      interrupted = true;
      child.kill(by);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...text }));
  });
}
