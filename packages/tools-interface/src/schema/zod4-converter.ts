import { InvalidToolError } from "../error/tool-error.ts";

/** The part of Zod 4 that converts schemas. */
type Zod4Converter = Pick<typeof import("zod/v4/core"), "globalRegistry" | "toJSONSchema" | "version">;

type Version = { readonly major: number; readonly minor: number; readonly patch: number };

let given: Zod4Converter | undefined;

/** Converts schemas with this from now on, instead of the zod installed beside this package. */
export function useZod4Converter(converter: Zod4Converter): void {
  given = converter;
}

/**
 * The converter of the zod that was given or is installed beside this package.
 *
 * @throws {InvalidToolError} When there is none, or it is older than the schema: it would leave out checks without a word.
 */
export function zod4Converter(made: Version, role: string): Zod4Converter {
  const converter = given ?? installedConverter();
  if (converter === undefined) {
    throw new InvalidToolError(
      `Cannot use the ${role}: no zod is installed beside this package to convert a schema of zod/mini or of Zod ${textOf(made)}, in a bundle import "@dispatch/tools-interface/zod-mini" before tools are defined`,
    );
  }
  const { version } = converter;
  if (version.major === made.major && version.minor * 1e6 + version.patch >= made.minor * 1e6 + made.patch)
    return converter;
  throw new InvalidToolError(
    `Cannot use the ${role}: found a schema of Zod ${textOf(made)} and a converter of Zod ${textOf(version)} beside it, allowed is a converter at least as new; install one zod, 4.2 or later`,
  );
}

/** Found by `createRequire`, because a tool is defined synchronously. */
function installedConverter(): Zod4Converter | undefined {
  try {
    const { createRequire } = process.getBuiltinModule("node:module");
    return createRequire(import.meta.url)("zod/v4/core") as Zod4Converter;
  } catch {
    return undefined;
  }
}

function textOf({ major, minor, patch }: Version): string {
  return `${major}.${minor}.${patch}`;
}
