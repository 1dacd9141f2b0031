import { globSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { root, runCommand, type Outcome } from "./run-command.ts";

/** What versions are made from. */
const READ = ["package.json", "pnpm-workspace.yaml", ".changeset/*", "{packages,apps}/*/package.json"];

/** What goes into packages besides. */
const PACKED = ["LICENSE", "packages/*/*", "packages/*/dist/**"];

/** A copy of the repository as the next release would leave it: versions raised, changelogs written. */
export interface NextRelease {
  /** Folder of the copy, absolute. */
  readonly folder: string;
  /** What the tool that makes versions said; not ok where a release would fail. */
  readonly outcome: Outcome;
}

/**
 * Makes the next release's versions and changelogs in a copy that is thrown away after `work`. Unlike `changeset status` this
 * needs no base branch, no remote and no commit, and it fails on any changeset that a release would fail on.
 *
 * @param packed - Whether the copy also holds what packages carry, so that they can be packed there.
 */
export async function withNextRelease<T>(packed: boolean, work: (release: NextRelease) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "dispatch-release-"));
  try {
    const files = globSync(packed ? [...READ, ...PACKED] : READ, {
      cwd: root,
      exclude: ["**/node_modules"],
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
    await Promise.all(files.map((file) => cp(path.join(root, file), path.join(folder, file))));
    // With nothing to release `version` fails; a changeset for no package is something, and changes nothing.
    await writeFile(path.join(folder, ".changeset/none.md"), "---\n---\n");
    const outcome = await runCommand("changeset", ["version"], { cwd: folder });
    if (packed) await linkPackages(folder);
    return await work({ folder, outcome });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Where a range of a manifest says `workspace:`, the package's version is looked up here when it is packed. */
async function linkPackages(folder: string): Promise<void> {
  for (const file of globSync("packages/*/package.json", { cwd: folder })) {
    const { name } = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as { readonly name: string };
    const link = path.join(folder, "node_modules", name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(folder, path.dirname(file)), link);
  }
}
