import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters, styleText } from "node:util";
import { withNextRelease } from "./next-release.ts";
import { root, runCommand } from "./run-command.ts";
import { runPnpm } from "./run-pnpm.ts";

/** A release that was not made. */
export interface ReleaseDescription {
  /** What it would be, for a person. */
  readonly text: string;
  /** What has to be there before anything can be published. */
  readonly missing: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
}

interface PackedFile {
  readonly file: string;
  /** Unpacked. */
  readonly bytes: number;
}

/**
 * Makes the next release in a copy and tells what it is: versions, changelogs, and what each tarball holds and asks for.
 *
 * @throws An `Error` when it could not be made.
 */
export function describeRelease({ files }: { readonly files: boolean }): Promise<ReleaseDescription> {
  return withNextRelease(true, async ({ folder, outcome }) => {
    if (!outcome.ok) throw new Error(`Cannot make the next release: ${stripVTControlCharacters(outcome.output)}`);
    const parts: string[] = [];
    const nameless: string[] = [];
    for (const place of globSync("packages/*/", { cwd: folder }).toSorted()) {
      const before = readManifest(path.join(root, place, "package.json"));
      const tarball = await pack(path.join(folder, place));
      const manifest = await manifestIn(tarball);
      const packed = await filesIn(tarball);
      parts.push(
        heading(before, manifest),
        tarballLine(packed, readFileSync(tarball).length),
        ...asksFor(manifest),
        ...changesIn(path.join(folder, place), manifest.version),
        ...(files
          ? packed.map(({ file, bytes }) => styleText("dim", `    ${kilobytes(bytes).padStart(9)}  ${file}`))
          : []),
        "",
      );
      if (manifest.repository === undefined) nameless.push(manifest.name);
    }
    const missing =
      nameless.length === 0
        ? []
        : [`the manifests of ${nameless.join(", ")} have no "repository", which npm checks provenance against`];
    parts.push(...missing.map((one) => styleText("yellow", `! ${one}`)), "Nothing was published.", "");
    return { text: parts.join("\n"), missing };
  });
}

function heading(before: Manifest, after: Manifest): string {
  const change = before.version === after.version ? "as it is" : `${before.version} → ${after.version}`;
  return `${styleText("bold", after.name)}  ${change}`;
}

function tarballLine(packed: readonly PackedFile[], size: number): string {
  const unpacked = packed.reduce((sum, { bytes }) => sum + bytes, 0);
  return `  ${packed.length} files, ${kilobytes(size)}, unpacked ${kilobytes(unpacked)}`;
}

function asksFor({ dependencies, optionalDependencies, peerDependencies, engines }: Manifest): readonly string[] {
  const rows = { needs: dependencies, optional: optionalDependencies, peers: peerDependencies, engines };
  return Object.entries(rows).flatMap(([what, ranges = {}]) => {
    const listed = Object.entries(ranges).map(([name, range]) => `${name} ${range}`);
    return listed.length === 0 ? [] : [`  ${what.padEnd(9)}${listed.join(", ")}`];
  });
}

/** What the changelog says of a version, as it would stand on the page of the release. */
function changesIn(folder: string, version: string): readonly string[] {
  const [file] = globSync("CHANGELOG.md", { cwd: folder });
  if (file === undefined) return [];
  const [, section = ""] = readFileSync(path.join(folder, file), "utf8").split(`\n## ${version}\n`);
  return (section.split("\n## ")[0] ?? "")
    .trim()
    .split("\n")
    .map((line) => `  │ ${line}`.trimEnd());
}

async function pack(folder: string): Promise<string> {
  const { ok, output } = await runPnpm(["pack", "--pack-destination", folder], { cwd: folder });
  const [tarball] = globSync("*.tgz", { cwd: folder });
  if (!ok || tarball === undefined) throw new Error(`Cannot pack ${path.basename(folder)}: ${output}`);
  return path.join(folder, tarball);
}

async function filesIn(tarball: string): Promise<readonly PackedFile[]> {
  return (await tar("--list", "--verbose", "--gzip", "--file", tarball))
    .trim()
    .split("\n")
    .map((line) => {
      const [, , bytes, , , file = ""] = line.split(/\s+/);
      return { file: file.replace("package/", ""), bytes: Number(bytes) };
    });
}

async function manifestIn(tarball: string): Promise<Manifest> {
  return JSON.parse(
    await tar("--extract", "--to-stdout", "--gzip", "--file", tarball, "package/package.json"),
  ) as Manifest;
}

async function tar(...args: readonly string[]): Promise<string> {
  const { ok, output } = await runCommand("tar", args);
  if (!ok) throw new Error(`Cannot read a tarball: ${output}`);
  return output;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
