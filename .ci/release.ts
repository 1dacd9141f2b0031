/**
 * `node .ci/release.ts [--dry-run]` publishes every package whose version is not on the registry yet, or shows the next
 * release.
 */
import process from "node:process";
import { parseArgs, styleText } from "node:util";
import { installTools } from "./machine/install-tools.ts";
import { runCommand } from "./machine/run-command.ts";
import { runPnpm } from "./machine/run-pnpm.ts";
import { repositoryUrl } from "./release/repository.ts";
import { withStampedManifests } from "./release/stamped-manifests.ts";
import { removeSboms, writeSboms } from "./release/write-sboms.ts";

const HELP = `Publishes every package whose version is not on the registry yet. Versions are raised by the release pull request,
from the changesets; see CONTRIBUTING.md.

Usage
  npx pnpm release               build and publish, with provenance: in CI only
  npx pnpm release --dry-run     show the next versions, and what each package's tarball holds

Options
  --help      this text
`;

const { values } = parseArgs({ options: { "dry-run": { type: "boolean" }, help: { type: "boolean", short: "h" } } });
if (values.help === true) process.stdout.write(HELP);
else process.exitCode = await release(values["dry-run"] === true);

async function release(isDryRun: boolean): Promise<number> {
  await installTools();
  const built = await runCommand("turbo", ["run", "build", "--output-logs=errors-only"]);
  if (!built.ok) return failed(built.output);
  const url = repositoryUrl();
  if (url === undefined && !isDryRun) {
    return failed(
      `Cannot publish: no "repository" in the root's package.json, which npm checks provenance against; set it to the repository's address`,
    );
  }
  try {
    const listed = await writeSboms();
    if (!listed.ok) return failed(listed.output);
    return url === undefined ? await publish(isDryRun) : await withStampedManifests(url, () => publish(isDryRun));
  } finally {
    await removeSboms();
  }
}

async function publish(isDryRun: boolean): Promise<number> {
  if (!isDryRun) return (await runCommand("changeset", ["publish"], { inherit: true })).ok ? 0 : 1;
  const planned = await runCommand("changeset", ["status", "--verbose"], { inherit: true });
  const packed = await runPnpm(["--recursive", "--filter", "./packages/*", "pack", "--dry-run"], { inherit: true });
  return planned.ok && packed.ok ? 0 : 1;
}

function failed(why: string): number {
  process.stderr.write(`${styleText("red", why, { stream: process.stderr })}\n`);
  return 1;
}
