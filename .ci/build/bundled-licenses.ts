import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The file in `dist` that names the packages whose code is part of the other files there. */
const FILE = "LICENSES.txt";
const FIRST_LINE = "Parts of these packages are in the files here.";
/** Between two packages: no text of a license has this line. */
const SEPARATOR = `\n${"=".repeat(100)}\n\n`;

/** A package whose code is part of the files of another. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as its manifest says. */
  readonly license: string;
}

/**
 * Writes the licenses of the packages that files come from, and of those that are in the built files of this workspace's other
 * packages. Nothing when all are the package's own.
 *
 * @param directory - The `dist` of a package, absolute.
 * @param files - The modules in it, absolute.
 */
export function writeLicenses(directory: string, files: readonly string[]): void {
  const packages = new Set(
    files.flatMap((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file) ?? []),
  );
  const built = new Set(files.flatMap((file) => /^(?!.*node_modules).*[\\/]dist(?=[\\/])/.exec(file) ?? []));
  built.delete(directory);
  const texts = [...packages].toSorted().map((installed) => {
    const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as Record<string, string>;
    const { name, version, license, author } = manifest;
    const [file] = globSync("{LICENSE,LICENCE,license}*", { cwd: installed });
    const text =
      file === undefined ? `${license}, by ${author}` : readFileSync(path.join(installed, file), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  const all = new Set([...texts, ...[...built].toSorted().flatMap(builtTexts)]);
  if (all.size > 0) writeFileSync(path.join(directory, FILE), `${FIRST_LINE}\n\n${[...all].join(SEPARATOR)}`);
}

/** Of a package of this workspace, unless it is never published, and of those in its files. */
function builtTexts(dist: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(path.join(dist, "../package.json"), "utf8")) as Record<string, string>;
  const own = `${manifest["name"]} ${manifest["version"]} (${manifest["license"]})\n\nSee LICENSE, which is for this package too.\n`;
  return [...("private" in manifest ? [] : [own]), ...sections(dist).map((text) => `${text.trimEnd()}\n`)];
}

function sections(directory: string): readonly string[] {
  const file = path.join(directory, FILE);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").slice(FIRST_LINE.length).trim().split(SEPARATOR);
}

/**
 * Reads the packages that `writeLicenses` named. None when the file is not there.
 *
 * @param directory - The `dist` of a package, absolute.
 */
export function readBundledPackages(directory: string): readonly BundledPackage[] {
  return sections(directory).map((text) => {
    const [, name = "", version = "", license = ""] = /^(\S+) (\S+) \((.+)\)$/m.exec(text) ?? [];
    return { name, version, license };
  });
}
