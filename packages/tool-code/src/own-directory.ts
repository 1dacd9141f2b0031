import { realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The directory of this package, by its real path. `undefined` where a bundler has left an address that is none, or that of
 * another machine.
 */
export function ownDirectory(): string | undefined {
  try {
    // Not `new URL(".", import.meta.url)`: bundlers take that for a file to be copied.
    return realpathSync(path.dirname(fileURLToPath(import.meta.url)));
  } catch {
    return undefined;
  }
}
