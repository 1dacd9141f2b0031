import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a run of the example agent left behind. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Runs the example agent as a person would, in a process of its own. */
export function runAgent(
  args: readonly string[],
  { env = {}, interruptAt }: { readonly env?: NodeJS.ProcessEnv; readonly interruptAt?: RegExp } = {},
): Promise<Finished> {
  const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env;
  const child = spawn(process.execPath, ["--conditions=@dispatch/source", main, ...args], {
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  let interrupted = false;
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
      if (interrupted || interruptAt?.test(text[name]) !== true) return;
      interrupted = true;
      child.kill("SIGINT");
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...text }));
  });
}
