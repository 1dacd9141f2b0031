import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The directory of this package, by its real path. `undefined` where a bundler has left an address that is none, or that of
 * another machine.
 */
export function ownDirectory(): string | undefined {
  try {
    return realpathSync(fileURLToPath(new URL(".", import.meta.url)));
  } catch {
    return undefined;
  }
}
