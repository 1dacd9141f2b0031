/**
 * `node .ci/release.ts [--dry-run]` publishes every package whose version is not on the registry yet, or shows the next
 * release.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs, styleText } from "node:util";
import { installTools } from "./install-tools.ts";
import { root, runCommand } from "./run-command.ts";
import { runPnpm } from "./run-pnpm.ts";

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
  if (isDryRun) {
    process.stdout.write(`${await (await import("./release-plan.ts")).describeReleasePlan()}\n`);
    const args = ["--recursive", "--filter", "./packages/*", "publish", "--dry-run", "--no-git-checks"];
    return (await runPnpm(args, { inherit: true })).ok ? 0 : 1;
  }
  const nameless = packagesWithoutRepository();
  if (nameless.length > 0) {
    return failed(
      `Cannot publish ${nameless.join(", ")}: no "repository" in the manifest, which npm checks provenance against`,
    );
  }
  return (await runCommand("changeset", ["publish"], { inherit: true })).ok ? 0 : 1;
}

function packagesWithoutRepository(): readonly string[] {
  return globSync("packages/*/package.json", { cwd: root })
    .map((file) => JSON.parse(readFileSync(path.join(root, file), "utf8")) as { name: string; repository?: unknown })
    .filter(({ repository }) => repository === undefined)
    .map(({ name }) => name);
}

function failed(why: string): number {
  process.stderr.write(`${styleText("red", why, { stream: process.stderr })}\n`);
  return 1;
}
