import { readFileSync } from "node:fs";
import path from "node:path";
import readReleasePlan from "@changesets/get-release-plan";
import { root, type Outcome } from "../machine/run-command.ts";
import { forgottenCommands, type Manifest } from "./forgotten-commands.ts";

/** Packages with the code of others of this workspace in their files, or with their versions. */
const COMMANDS = ["packages/create-tool", "packages/mcp-server"];

/**
 * Reads every changeset and works out the next versions. Fails on a changeset that a release would fail on, and where a package
 * would be released without the command that has its code.
 */
export async function checkChangesets(): Promise<Outcome> {
  const { releases } = await readReleasePlan(root);
  const manifests = COMMANDS.map(
    (directory) => JSON.parse(readFileSync(path.join(root, directory, "package.json"), "utf8")) as Manifest,
  );
  const forgotten = forgottenCommands(releases, manifests);
  return { ok: forgotten.length === 0, output: forgotten.join("\n") };
}

/** The next release as text: each package that gets one, with its present and its next version, then the changesets it comes from. */
export async function describeReleasePlan(): Promise<string> {
  const { releases } = await readReleasePlan(root);
  return releases
    .filter(({ oldVersion, newVersion }) => oldVersion !== newVersion)
    .map(
      ({ name, oldVersion, newVersion, changesets }) =>
        `${name} ${oldVersion} → ${newVersion} (${changesets.join(", ")})\n`,
    )
    .join("");
}
