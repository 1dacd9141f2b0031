import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The directory of this package. */
export const packageDirectory = fileURLToPath(new URL("..", import.meta.url));

/** The TypeScript compiler, to be run with node. */
export const tsc = path.join(
  path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin",
  "tsc",
);

/** Builds a package as it is published, so that the benches load the same files as users. */
export function buildPackage(directory: string = packageDirectory): void {
  execFileSync("npx", ["--yes", "pnpm", "run", "build"], {
    cwd: directory,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
