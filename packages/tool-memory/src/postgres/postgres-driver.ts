import { loadInstalled } from "../database/load-installed.ts";
import { MemoryError } from "../text/memory-error.ts";

/** The package `pg` 8.16 or later, as `import pg from "pg"` gives it. */
export interface PostgresDriver {
  /** Its pool of connections. */
  readonly Pool: new (config?: never) => object;
  /** Its readers of values. */
  readonly types: object;
}

/** Loads the package `pg`. @throws MemoryError `memory_driver`. */
export function installedDriver(): PostgresDriver {
  try {
    return loadInstalled("pg") as PostgresDriver;
  } catch (cause) {
    throw new MemoryError(
      'Cannot open the memory: the package pg is not installed, a postgres: URL needs it; install it next to this one, npm install pg, or in a bundle pass it: import pg from "pg"; openMemory(url, { pg })',
      "memory_driver",
      cause,
    );
  }
}
