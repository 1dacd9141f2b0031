import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../src/deno/index.ts", import.meta.url));

/** Node's arguments to run a host: lines of a TypeScript program that know `DenoRuntime`. */
export function hostArguments(lines: string, ...own: readonly string[]): string[] {
  const program = `import { DenoRuntime } from ${JSON.stringify(source)};\n${lines}`;
  return ["--conditions=@dispatch/source", "--input-type=module-typescript", "-e", program, ...own];
}

/** Runs a host to its end. Returns its exit code and its printed output. */
export async function runHost(lines: string): Promise<readonly [exit: number | null, printed: string]> {
  const host = spawn(process.execPath, hostArguments(lines), { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  host.stdout.on("data", (bytes) => (printed += bytes));
  const exit = await new Promise<number | null>((resolve) => host.once("close", resolve));
  return [exit, printed];
}
