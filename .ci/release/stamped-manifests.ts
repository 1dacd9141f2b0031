import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { root } from "../machine/run-command.ts";

/**
 * Runs `work` while the manifest of each package names the repository, its homepage and where to report bugs. npm checks
 * provenance against `repository`.
 *
 * @param url - Of the repository, without `.git`.
 */
export async function withStampedManifests<T>(url: string, work: () => Promise<T>): Promise<T> {
  const files = globSync("packages/*/{package,server}.json", { cwd: root }).map((file) => path.join(root, file));
  const before = await Promise.all(files.map((file) => readFile(file, "utf8")));
  try {
    for (const [index, file] of files.entries()) {
      const directory = path.relative(root, path.dirname(file)).replaceAll(path.sep, "/");
      const read = JSON.parse(before[index] ?? "") as object;
      const stamped = file.endsWith("server.json")
        ? stampServer(read as ServerEntry, await versionBeside(file))
        : stamp(read, url, directory);
      await writeFile(file, `${JSON.stringify(stamped, undefined, 2)}\n`);
    }
    return await work();
  } finally {
    for (const [index, file] of files.entries()) await writeFile(file, before[index] ?? "");
  }
}

/** The manifest of a package in `directory` of the repository at `url`. */
export function stamp(manifest: object, url: string, directory: string): object {
  return {
    ...manifest,
    homepage: `${url}/tree/HEAD/${directory}#readme`,
    bugs: { url: `${url}/issues` },
    repository: { type: "git", url: `git+${url}.git`, directory },
  };
}

/** The parts of an entry for the registry of MCP servers that name a version. */
interface ServerEntry {
  readonly packages: readonly object[];
}

/** The entry of a package of this version. Versions are raised in `package.json` alone. */
export function stampServer(entry: ServerEntry, version: string): object {
  return { ...entry, version, packages: entry.packages.map((one) => ({ ...one, version })) };
}

async function versionBeside(file: string): Promise<string> {
  const text = await readFile(path.join(path.dirname(file), "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
