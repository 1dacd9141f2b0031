import path from "node:path";
import process from "node:process";
import { format } from "node:util";
import { vi } from "vitest";
import { runNode, type Finished } from "./run-agent.ts";

/** The directory of the examples, absolute. */
export const examples = path.join(import.meta.dirname, "../examples");

/** Where an example runs. */
interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const TASK = "Write down: tea";

/** Runs an example as a person would, in a process of its own. */
export function startExample(name: string, place: Place): Promise<Finished> {
  return runNode([path.join(examples, name), TASK], place);
}

let imports = 0;

/**
 * Runs an example in this process, which is much faster: the example is loaded anew, the modules that it imports are not.
 * None of these may keep something of the environment.
 */
export async function importExample(name: string, { cwd, env }: Place): Promise<Finished> {
  const { argv } = process;
  const previous = process.cwd();
  const written = { log: "", error: "" };
  const spies = (["log", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...parts) => void (written[level] += `${format(...parts)}\n`)),
  );
  process.chdir(cwd);
  process.argv = [process.execPath, name, TASK];
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value);
  try {
    await import(`${path.join(examples, name)}?${(imports += 1)}`);
    return { code: 0, stdout: written.log, stderr: written.error };
  } finally {
    vi.unstubAllEnvs();
    process.argv = argv;
    process.chdir(previous);
    for (const spy of spies) spy.mockRestore();
  }
}
