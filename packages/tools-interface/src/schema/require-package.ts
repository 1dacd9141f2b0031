import { InvalidToolError } from "../error/tool-error.ts";

/** The dependencies that are loaded only when needed, the optional peer zod among them. */
interface Packages {
  readonly "@cfworker/json-schema": typeof import("@cfworker/json-schema");
  readonly "zod-to-json-schema": typeof import("zod-to-json-schema");
  readonly "zod/v4/core": typeof import("zod/v4/core");
}

/**
 * Loads one of this package's own dependencies at the moment it is needed.
 *
 * Only tools with parameters in Zod 3, `zod/mini` or raw JSON Schema need one, and a tool is defined synchronously, so a
 * dynamic import is no way. Measured: a static import would cost every program 27 ms (zod-to-json-schema, which loads
 * the whole of Zod 3) and 6 ms (@cfworker/json-schema) of CPU time at start.
 */
export function requirePackage<Name extends keyof Packages>(name: Name, role: string): Packages[Name] {
  try {
    const { createRequire } = process.getBuiltinModule("node:module");
    return createRequire(import.meta.url)(name) as Packages[Name];
  } catch (cause) {
    throw new InvalidToolError(`Cannot use the ${role}: the package ${name} could not be loaded`, { cause });
  }
}
