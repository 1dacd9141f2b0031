import { readFileSync } from "node:fs";
import path from "node:path";
import { root, type Outcome } from "../machine/run-command.ts";

/** Packages with the code of others of this workspace in their files, or with their versions. */
const COMMANDS = ["packages/create-tool", "packages/mcp-server"];

/** The part of a command's manifest that names the packages in its files. */
interface Manifest {
  readonly name: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Release {
  readonly name: string;
  readonly oldVersion?: string | undefined;
  readonly newVersion?: string | undefined;
}

/**
 * Reads every changeset and works out the next versions. Fails on a changeset that a release would fail on, and where a package
 * would be released without the command that has its code.
 */
export async function checkChangesets(): Promise<Outcome> {
  // A tool of the gate, which is installed by now.
  const { default: readReleasePlan } = await import("@changesets/get-release-plan");
  const { releases } = await readReleasePlan(root);
  const manifests = COMMANDS.map(
    (directory) => JSON.parse(readFileSync(path.join(root, directory, "package.json"), "utf8")) as Manifest,
  );
  const forgotten = forgottenCommands(releases, manifests);
  return { ok: forgotten.length === 0, output: forgotten.join("\n") };
}

/**
 * Commands whose files hold code of a package that is released without them: their users would keep the old code. One text each.
 */
export function forgottenCommands(releases: readonly Release[], commands: readonly Manifest[]): readonly string[] {
  const released = new Set(releases.flatMap((one) => (one.oldVersion === one.newVersion ? [] : [one.name])));
  return commands.flatMap(({ name, devDependencies }) => {
    const held = Object.keys(devDependencies).filter((one) => released.has(one));
    if (held.length === 0 || released.has(name)) return [];
    return [
      `Cannot release ${held.join(" and ")} without ${name}, whose files hold its code: name it in a changeset too`,
    ];
  });
}
