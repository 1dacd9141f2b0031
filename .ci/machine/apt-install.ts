import process from "node:process";
import { runQuietly } from "./run-quietly.ts";

/**
 * Installs a package of Debian's, as root or with a `sudo` that does not prompt.
 *
 * @param timeoutMs - Limit for each step; default: none.
 * @throws An `Error` with apt's output on failure.
 */
export function aptInstall(name: string, timeoutMs?: number): void {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  runQuietly([...sudo, "apt-get", "update", "-qq"], timeoutMs);
  runQuietly([...sudo, "apt-get", "install", "-y", "-qq", "--no-install-recommends", name], timeoutMs);
}
