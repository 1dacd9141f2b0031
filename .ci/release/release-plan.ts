import readReleasePlan from "@changesets/get-release-plan";
import { root, type Outcome } from "../machine/run-command.ts";

/** Reads every changeset and works out the next versions. Fails on a changeset that a release would fail on. */
export async function checkChangesets(): Promise<Outcome> {
  await readReleasePlan(root);
  return { ok: true, output: "" };
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
