import process from "node:process";
import { runQuietly } from "./run-quietly.ts";

/**
 * Installs a package of Debian's, as root or with a `sudo` that does not prompt.
 *
 * @param timeoutMs - Limit for each step; default: none.
 * @throws An `Error` with apt's output on failure.
 */
export function aptInstall(name: string, timeoutMs?: number): void {
  aptGet(["update"], timeoutMs);
  aptGet(["install", "-y", "--no-install-recommends", name], timeoutMs);
}

/** Removes a package of Debian's, by the rules of {@link aptInstall}. */
export function aptRemove(name: string, timeoutMs?: number): void {
  aptGet(["remove", "-y", name], timeoutMs);
}

function aptGet(args: readonly string[], timeoutMs?: number): void {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  runQuietly([...sudo, "apt-get", "-qq", ...args], timeoutMs);
}
