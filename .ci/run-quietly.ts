import { execFileSync } from "node:child_process";
import process from "node:process";

/**
 * Runs a program to its end and shows nothing of it.
 *
 * @param timeoutMs - How long it may take; default: as long as it takes.
 * @throws An `Error` with what it wrote to standard error, when it fails.
 */
export function runQuietly([program = "", ...args]: readonly string[], timeoutMs?: number): void {
  try {
    execFileSync(program, args, {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: timeoutMs,
      // What only root needs is where an ordinary PATH does not look.
      env: { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`, DEBIAN_FRONTEND: "noninteractive" },
    });
  } catch (error) {
    const { stderr } = error as { readonly stderr?: Buffer };
    throw new Error(`${program} failed: ${stderr?.toString().trim() ?? String(error)}`, { cause: error });
  }
}
