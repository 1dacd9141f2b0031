import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { packageDirectory } from "./built-package.ts";

/** The directory of the peers in the comparison: a package root of its own. */
const peers = path.join(packageDirectory, "peers");

/**
 * Installs exactly the packages that the lockfile of the peers names; quick when they are there.
 *
 * @param own A directory of the peers with a lockfile of its own.
 */
export function installPeers(own = "."): void {
  const args = ["--yes", "pnpm", "--dir", path.join(peers, own), "install", "--frozen-lockfile", "--silent"];
  execFileSync("npx", args, { stdio: ["ignore", "ignore", "inherit"] });
}

/**
 * Runs a module of the peers in a process of its own and returns its output.
 *
 * @throws An `Error` when the process ends with anything but 0.
 */
export async function runPeers(
  module: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<string> {
  const child = spawn(process.execPath, [...flags, path.join(peers, module), ...args], {
    cwd: peers,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`Cannot compare: ${module} ended with ${code}`);
  return output;
}
