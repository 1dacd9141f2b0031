import { spawn } from "node:child_process";
import process from "node:process";

/** A program and its arguments. */
type Command = readonly [program: string, ...args: string[]];

/** The command that this process was given, behind its own name. */
export function givenCommand(): Command {
  const [program, ...args] = process.argv.slice(2);
  if (program === undefined) throw new Error("Cannot run a command: none was given, allowed is one with its arguments");
  return [program, ...args];
}

/**
 * Runs a command in another environment. A signal to this process ends the command; this process goes on then, and can
 * clean up.
 *
 * @returns The command's exit code, 1 if it was ended by a signal.
 */
export async function runWithEnvironment([program, ...args]: Command, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(program, args, { env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("close", resolve).on("error", reject);
  });
  return code ?? 1;
}
