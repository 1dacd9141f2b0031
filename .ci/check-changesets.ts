import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { root, runCommand, type Outcome } from "./run-command.ts";

/** What `changeset version` reads. */
const READ = ["package.json", "pnpm-workspace.yaml", ".changeset/*", "packages/*/package.json", "apps/*/package.json"];

/**
 * Makes the next release's versions and changelogs in a copy that is thrown away. Unlike `changeset status` this
 * needs no base branch, no remote and no commit, and it fails on any changeset that a release would fail on.
 */
export async function checkChangesets(): Promise<Outcome> {
  const copy = await mkdtemp(path.join(tmpdir(), "dispatch-release-"));
  try {
    await Promise.all(globSync(READ, { cwd: root }).map((file) => cp(path.join(root, file), path.join(copy, file))));
    // With nothing to release `version` fails; a changeset for no package is something, and changes nothing.
    await writeFile(path.join(copy, ".changeset/none.md"), "---\n---\n");
    return await runCommand("changeset", ["version"], { cwd: copy });
  } finally {
    await rm(copy, { recursive: true });
  }
}
