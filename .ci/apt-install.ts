import process from "node:process";
import { runQuietly } from "./run-quietly.ts";

/**
 * Installs a package of Debian's, as root or with a `sudo` that asks nothing.
 *
 * @param timeoutMs - How long each step may take; default: as long as it takes.
 * @throws An `Error` with what apt said, when it cannot be had.
 */
export function aptInstall(name: string, timeoutMs?: number): void {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  runQuietly([...sudo, "apt-get", "update", "-qq"], timeoutMs);
  runQuietly([...sudo, "apt-get", "install", "-y", "-qq", "--no-install-recommends", name], timeoutMs);
}
