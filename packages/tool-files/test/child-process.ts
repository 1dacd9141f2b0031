import { fileURLToPath } from "node:url";

const PROGRAMS = {
  "call-together": new URL("./call-together.ts", import.meta.url),
  "call-tools": new URL("./call-tools.ts", import.meta.url),
  "die-patching": new URL("./die-patching.ts", import.meta.url),
  "die-publishing": new URL("./die-publishing.ts", import.meta.url),
  "edit-many": new URL("./edit-many.ts", import.meta.url),
  "killed-writer": new URL("./killed-writer.mjs", import.meta.url),
  "read-bomb": new URL("./read-bomb.ts", import.meta.url),
};

/** Node's arguments to run one of these programs from source, followed by the program's own. */
export function childArguments(program: keyof typeof PROGRAMS, ...own: readonly string[]): string[] {
  return ["--conditions=@dispatch/source", "--no-warnings", fileURLToPath(PROGRAMS[program]), ...own];
}
