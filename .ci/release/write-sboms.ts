import { globSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { root, type Outcome } from "../machine/run-command.ts";
import { runPnpm } from "../machine/run-pnpm.ts";

/** The file that a package's tarball holds. */
const SBOM = "sbom.cdx.json";

/** Writes the CycloneDX list of each package's run-time dependencies beside its manifest, from the lockfile. */
export async function writeSboms(): Promise<Outcome> {
  const format = ["sbom", "--sbom-format", "cyclonedx", "--split", "--prod", "--lockfile-only"];
  const made = await runPnpm([...format, "--filter", "./packages/*", "--out", path.join(root, "packages/%s.cdx.json")]);
  if (!made.ok) return made;
  for (const file of globSync("packages/*.cdx.json", { cwd: root })) {
    const directory = path.basename(file, ".cdx.json").replace(/^dispatch-/, "");
    await rename(path.join(root, file), path.join(root, "packages", directory, SBOM));
  }
  const missing = globSync("packages/*/", { cwd: root }).filter(
    (directory) => globSync(SBOM, { cwd: path.join(root, directory) }).length === 0,
  );
  return { ok: missing.length === 0, output: `Cannot release: there is no ${SBOM} in ${missing.join(", ")}` };
}

/** Removes the files again. */
export async function removeSboms(): Promise<void> {
  for (const file of globSync(`packages/*/${SBOM}`, { cwd: root })) await rm(path.join(root, file));
}
