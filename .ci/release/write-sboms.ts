import { globSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readBundledPackages } from "../build/bundled-licenses.ts";
import { root, type Outcome } from "../machine/run-command.ts";
import { runPnpm } from "../machine/run-pnpm.ts";
import { toLicenses, withBundled, withLicenses, type Component, type License, type Sbom } from "./sbom-licenses.ts";

/** The file that a package's tarball holds. */
const SBOM = "sbom.cdx.json";

/**
 * Writes the CycloneDX list of each package's run-time dependencies beside its manifest: those of the lockfile, so also
 * the binaries of other platforms, and those that its build put into its files. The packages have to be built.
 */
export async function writeSboms(): Promise<Outcome> {
  const scratch = await mkdtemp(path.join(tmpdir(), "sbom-"));
  try {
    const locked = await listComponents(path.join(scratch, "locked"), ["--lockfile-only"]);
    const installed = await listComponents(path.join(scratch, "installed"), []);
    const licenses = await findLicenses([...locked.values()], [...installed.values()]);
    for (const [directory, sbom] of locked) {
      const bundled = readBundledPackages(path.join(root, directory, "dist"));
      const text = JSON.stringify(withBundled(withLicenses(sbom, licenses), bundled), undefined, 2);
      await writeFile(path.join(root, directory, SBOM), `${text}\n`);
    }
    return { ok: true, output: "" };
  } catch (error) {
    return { ok: false, output: `Cannot list the packages' dependencies: ${String(error)}` };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Removes the files again. */
export async function removeSboms(): Promise<void> {
  for (const file of globSync(`packages/*/${SBOM}`, { cwd: root })) await rm(path.join(root, file));
}

/** pnpm's list of each package, by the package's directory. Only from installed packages, it knows the licenses. */
async function listComponents(target: string, options: readonly string[]): Promise<ReadonlyMap<string, Sbom>> {
  const format = ["sbom", "--sbom-format", "cyclonedx", "--split", "--prod", ...options];
  const made = await runPnpm([...format, "--filter", "./packages/*", "--out", path.join(target, "%s.json")]);
  if (!made.ok) throw new Error(made.output);
  const directories = globSync("packages/*/", { cwd: root });
  const entries = directories.map(async (directory) => {
    const file = path.join(target, `dispatch-${path.basename(directory)}.json`);
    return [directory, JSON.parse(await readFile(file, "utf8")) as Sbom] as const;
  });
  return new Map(await Promise.all(entries));
}

/**
 * The licenses of all packages, by purl. The registry is asked for those of packages that are not installed here:
 * binaries of other platforms.
 */
async function findLicenses(
  locked: readonly Sbom[],
  installed: readonly Sbom[],
): Promise<ReadonlyMap<string, readonly License[]>> {
  const found = new Map<string, readonly License[]>();
  for (const { purl, licenses } of componentsOf(installed)) if (licenses !== undefined) found.set(purl, licenses);
  const missing = componentsOf(locked).filter(({ purl, licenses }) => licenses === undefined && !found.has(purl));
  const purls = [...new Set(missing.map(({ purl }) => purl))];
  await Promise.all(purls.map(async (purl) => found.set(purl, toLicenses(await publishedLicense(purl)))));
  return found;
}

function componentsOf(sboms: readonly Sbom[]): readonly Component[] {
  return sboms.flatMap(({ components }) => components);
}

async function publishedLicense(purl: string): Promise<string> {
  const name = decodeURIComponent(purl.slice("pkg:npm/".length));
  const { output } = await runPnpm(["view", name, "license", "--json"]);
  const license = /^"(?<license>[^"]+)"$/m.exec(output)?.groups?.["license"];
  if (license === undefined) throw new Error(`Cannot find the license of ${name}: ${output}`);
  return license;
}
