import { fileURLToPath } from "node:url";

/** A directory in `node_modules`, where Node keeps compiled modules: a child process then starts in a third of the time. */
const cache = fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));

/** The environment of a child process that runs TypeScript of this package. */
export const CHILD_ENV: NodeJS.ProcessEnv = { ...process.env, NODE_COMPILE_CACHE: cache };

/** Node's arguments to run a program of this directory from source, followed by the program's own. */
export function childArguments(program: string, ...own: readonly string[]): string[] {
  const path = fileURLToPath(new URL(program, import.meta.url));
  return ["--conditions=@dispatch/source", "--no-warnings", path, ...own];
}
