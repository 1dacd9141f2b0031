import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { runPnpm, storeDirectory } from "./run-pnpm.ts";
import { runProgram } from "./run-program.ts";

/** A range of versions or the address of a tarball, by the name of the package. */
type Wishes = Readonly<Record<string, string>>;

/** A program that installs. */
export interface Installer {
  /** Whether a package can import only those that it names itself. */
  readonly isolates: boolean;
  /**
   * Installs into an empty directory. By npm, the directory before it loses its packages.
   *
   * @param wishes - The project's dependencies.
   * @param tarballs - The tarball of each of these packages everywhere in the project, also for indirect dependencies.
   */
  readonly install: (directory: string, wishes: Wishes, tarballs: Wishes) => Promise<void>;
}

/** The directory that npm filled last. The next one takes its packages: npm takes seven times longer to fill an empty one. */
let filled: string | undefined;

/** The ways to install that are promised to work, by the name of the program. */
export const installers: Readonly<Record<string, Installer>> = {
  npm: {
    isolates: false,
    async install(directory, wishes, tarballs) {
      await writeManifest(directory, { dependencies: wishes, overrides: tarballs });
      for (const name of filled === undefined ? [] : ["node_modules", "package-lock.json"])
        await rename(path.join(filled ?? "", name), path.join(directory, name));
      await runProgram("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], directory);
      filled = directory;
    },
  },
  // By pnpm's defaults no install script runs, and one that wants to is an error.
  pnpm: {
    isolates: true,
    async install(directory, wishes, tarballs) {
      await writeManifest(directory, { dependencies: wishes });
      await writeFile(path.join(directory, "pnpm-workspace.yaml"), `overrides: ${JSON.stringify(tarballs)}\n`);
      const store = await storeDirectory();
      await runPnpm(["install", "--prefer-offline", "--no-frozen-lockfile", "--store-dir", store], directory);
    },
  },
};

async function writeManifest(directory: string, manifest: object): Promise<void> {
  const text = JSON.stringify({ name: "consumer", private: true, type: "module", ...manifest }, undefined, 2);
  await writeFile(path.join(directory, "package.json"), text);
}
