import { execFileSync } from "node:child_process";
import process from "node:process";

/**
 * Runs a program to its end without showing its output.
 *
 * @param timeoutMs - Limit for the run; default: none.
 * @throws An `Error` with its standard error on failure.
 */
export function runQuietly([program = "", ...args]: readonly string[], timeoutMs?: number): void {
  try {
    execFileSync(program, args, {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: timeoutMs,
      // Programs that only root needs are outside an ordinary PATH.
      env: { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`, DEBIAN_FRONTEND: "noninteractive" },
    });
  } catch (error) {
    const { stderr } = error as { readonly stderr?: Buffer };
    throw new Error(`${program} failed: ${stderr?.toString().trim() ?? String(error)}`, { cause: error });
  }
}
