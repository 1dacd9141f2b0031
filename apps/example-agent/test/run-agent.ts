import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { main as runMain } from "../src/main.ts";
import type { Host } from "../src/setup/host.ts";

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
  /** Columns of its output, where it runs in this process. Default: unknown. */
  readonly columns?: number;
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

/** The program in this process: whatever it reads, writes and hears comes from the test. */
export interface HostedRun {
  readonly stdin: PassThrough;
  /** The exit code. */
  readonly ended: Promise<number>;
  /** Sends it a signal. */
  readonly signal: (name: NodeJS.Signals) => void;
}

/** How its output looks. Default: pipes. */
interface HostedOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

let isHosting = false;

/**
 * Runs the program in this process, one at a time, which takes a fraction of what a process of its own takes: nothing is loaded
 * anew. Signals, a terminal that is closed, a reader that leaves and the exit itself need `startAgent`.
 */
export function hostAgent(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onText: (name: "stdout" | "stderr", text: string) => void,
  look: HostedOutput = {},
): HostedRun {
  if (isHosting) throw new Error("Cannot run the agent: another one runs in this process, allowed is one at a time");
  isHosting = true;
  const before = { ...process.env };
  setEnvironment({ ...plainEnvironment(), ...env });
  const output = (name: "stdout" | "stderr"): NodeJS.WriteStream => {
    const write = (chunk: Buffer | string, _encoding: string, done: () => void): void => {
      onText(name, String(chunk));
      done();
    };
    const stream = new Writable({ decodeStrings: false, write });
    return Object.assign(stream, { isTTY: false, ...look }) as unknown as NodeJS.WriteStream;
  };
  const stdin = new PassThrough();
  Object.assign(stdin, { isTTY: look.isTTY ?? false, setRawMode: () => stdin });
  const streams = {
    stdin,
    stdout: output("stdout"),
    stderr: output("stderr"),
    env: { ...process.env },
    exit: () => {},
  };
  const host = Object.assign(new EventEmitter(), streams) as unknown as Host;
  const ended = runMain(args, host).finally(() => {
    setEnvironment(before);
    isHosting = false;
  });
  return { stdin, ended, signal: (name) => void host.emit(name) };
}

function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

/** Runs the example agent to its end, in this process. */
export async function runAgent(
  args: readonly string[],
  { env = {}, interruptAt, by = "SIGINT", input, columns }: Omit<RunOptions, "cwd"> = {},
): Promise<Finished> {
  const text = { stdout: "", stderr: "" };
  let isInterrupted = false;
  const run = hostAgent(
    args,
    env,
    (name, chunk) => {
      text[name] += chunk;
      if (isInterrupted || interruptAt?.test(text[name]) !== true) return;
      isInterrupted = true;
      setImmediate(() => run.signal(by));
    },
    columns === undefined ? {} : { columns },
  );
  run.stdin.end(input);
  return { code: await run.ended, ...text };
}

/** Runs the example agent as a person would, in a process of its own. */
export function startAgent(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
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
