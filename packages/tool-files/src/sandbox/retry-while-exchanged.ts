import { SandboxError } from "../error/files-error.ts";
import { systemCode } from "../error/system-error.ts";

/** The system's codes for a name that another process exchanged between two looks at it. */
const EXCHANGED = new Set(["ELOOP", "ESTALE"]);

/** How often an operation is tried while names are exchanged under it. */
const MAX_ATTEMPTS = 16;

/**
 * Runs `act` again while another process exchanges the names it goes through, such as a directory with a symbolic link.
 *
 * @throws {SandboxError} After 16 attempts; code `unstable_path`.
 */
export function retryWhileExchanged<T>(attempt: string, act: (first: boolean) => T): T {
  for (let tries = 1; ; tries += 1) {
    try {
      return act(tries === 1);
    } catch (error) {
      if (!EXCHANGED.has(systemCode(error) ?? "")) throw error;
      if (tries < MAX_ATTEMPTS) continue;
      throw new SandboxError(`${attempt}: it is being exchanged all the time, try again later`, {
        code: "unstable_path",
        cause: error,
      });
    }
  }
}
