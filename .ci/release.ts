import process from "node:process";
/** `node .ci/release.ts [--dry-run]` publishes every package whose version is not on the registry yet, or shows what the next release is. */
import { parseArgs, styleText } from "node:util";
import { describeRelease } from "./describe-release.ts";
import { installTools } from "./install-tools.ts";
import { runCommand } from "./run-command.ts";

const HELP = `Publishes every package whose version is not on the registry yet. Versions are raised by the release pull request,
from the changesets; see CONTRIBUTING.md.

Usage
  npx pnpm release               build and publish, with provenance: in CI only
  npx pnpm release --dry-run     show the next release: versions, changelogs, what each tarball holds, what is missing

Options
  --files     name every file of the tarballs
  --help      this text
`;

const { values } = parseArgs({
  options: { "dry-run": { type: "boolean" }, files: { type: "boolean" }, help: { type: "boolean", short: "h" } },
});
if (values.help === true) process.stdout.write(HELP);
else process.exitCode = await release();

async function release(): Promise<number> {
  await installTools();
  const built = await runCommand("turbo", ["run", "build", "--output-logs=errors-only"]);
  if (!built.ok) return failed(built.output);
  const { text, missing } = await describeRelease({ files: values.files === true });
  if (values["dry-run"] === true) {
    process.stdout.write(text);
    return 0;
  }
  if (missing.length > 0) return failed(`Cannot publish: ${missing.join("; ")}`);
  const { ok } = await runCommand("changeset", ["publish"], { inherit: true });
  return ok ? 0 : 1;
}

function failed(why: string): number {
  process.stderr.write(`${styleText("red", why, { stream: process.stderr })}\n`);
  return 1;
}
