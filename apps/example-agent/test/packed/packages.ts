import { globSync, readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { runPnpm } from "./run-pnpm.ts";
import { runProgram } from "./run-program.ts";

/** The directory of the repository, absolute. */
export const root = path.resolve(import.meta.dirname, "../../../..");

/** A package that is published. */
export interface PublishedPackage {
  /** Its name. */
  readonly name: string;
  /** Its directory, absolute. */
  readonly directory: string;
  /** Its import specifiers: its name, and its name with each subpath. */
  readonly specifiers: readonly string[];
  /** The oldest Node it runs on: `20.19`. */
  readonly oldestNode: string;
  /** Additional requirements of some subpaths: its optional peers, by name with the versions it takes. */
  readonly optionalPeers: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly engines: { readonly node: string };
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Every package that is published. */
export const packages: readonly PublishedPackage[] = globSync("packages/*/package.json", { cwd: root })
  .toSorted()
  .map((file) => ({ file, manifest: JSON.parse(readFileSync(path.join(root, file), "utf8")) as Manifest }))
  .filter(({ manifest }) => manifest.private !== true)
  .map(({ file, manifest }) => {
    const { name, exports, engines, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
    const optional = Object.entries(peerDependencies).filter(([peer]) => peerDependenciesMeta[peer]?.optional);
    const subpaths = Object.keys(exports).filter((subpath) => subpath !== "./package.json");
    const specifiers = subpaths.map((subpath) => path.posix.join(name, subpath));
    const directory = path.join(root, path.dirname(file));
    const oldestNode = engines.node.replace(">=", "");
    return { name, directory, specifiers, oldestNode, optionalPeers: Object.fromEntries(optional) };
  });

/**
 * Builds every package and packs it as it would be published.
 *
 * @param directory - Where the tarballs go, absolute.
 * @returns The address of each tarball, `file:` and an absolute path, by the name of its package.
 */
export async function packAll(directory: string): Promise<Readonly<Record<string, string>>> {
  await runProgram(path.join(root, "node_modules/.bin/turbo"), ["run", "build"], root, process.env);
  const entries = packages.map(async (published) => {
    const target = path.join(directory, published.name.replace("/", "-"));
    await mkdir(target);
    await runPnpm(["pack", "--pack-destination", target], published.directory);
    const [tarball = ""] = await readdir(target);
    return [published.name, `file:${path.join(target, tarball)}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
