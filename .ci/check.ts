/** `node .ci/check.ts [STEP …]` is the gate: everything but the tests that must hold before a change lands. */
import { globSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { styleText } from "node:util";
import { checkFingerprints } from "./checks/check-fingerprints.ts";
import { checkHouseRules } from "./checks/check-house-rules.ts";
import { checkPackage } from "./checks/check-package.ts";
import { installTools } from "./machine/install-tools.ts";
import { root, runCommand, type Outcome } from "./machine/run-command.ts";
import { checkChangesets } from "./release/check-changesets.ts";

type Step = readonly [name: string, run: () => Promise<Outcome>];

const packages = globSync("packages/*/package.json", { cwd: root })
  .map((file) => path.dirname(file))
  .toSorted();

/** The steps of a stage do not need each other; the last stage needs the build. */
const stages: readonly (readonly Step[])[] = [
  [
    ["types", () => runCommand("tsc", ["-p", "tsconfig.json", "--checkers", "2"])],
    ["gate-types", () => runCommand("tsc", ["-p", ".ci/tsconfig.json"])],
    ["lint", () => runCommand("oxlint", [])],
    ["format", () => runCommand("oxfmt", ["--check"])],
    ["house-rules", checkHouseRules],
    ["fingerprints", checkFingerprints],
    ["unused", () => runCommand("knip", ["--no-config-hints"])],
    ["boundaries", () => runCommand("turbo", ["boundaries"])],
    ["changesets", checkChangesets],
    // It imports a tool of the gate, so it is loaded once that is installed.
    ["api-docs", async () => (await import("./docs/api-docs.ts")).checkApiDocs()],
  ],
  [["build", () => runCommand("turbo", ["run", "build", "--output-logs=errors-only"])]],
  packages.map((directory) => [directory, () => checkPackage(directory)] as const),
  // Alone, because it packs and installs what the stage before it packs.
  [["published", () => runCommand("node", [".ci/test.ts", "--project=published"])]],
];

const asked = process.argv.slice(2);
const known = stages.flat().map(([name]) => name);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  throw new Error(`Cannot run ${unknown.join(", ")}: no such step, allowed are ${known.join(", ")}`);
}

const started = performance.now();
await installTools();
const failed: string[] = [];
for (const stage of stages) {
  if (failed.includes("build")) break;
  const steps = stage.filter(([name]) => asked.length === 0 || asked.includes(name)).values();
  await Promise.all([worker(steps), worker(steps)]);
}
const what = failed.length === 0 ? "The gate is green" : `The gate is red: ${failed.join(", ")}`;
console.log(styleText(failed.length === 0 ? "green" : "red", `${what} (${seconds(started)})`));
process.exitCode = failed.length === 0 ? 0 : 1;

/** Takes steps until none is left; two of them share a stage, as there are two cores on the smallest machine in use. */
async function worker(steps: Iterable<Step>): Promise<void> {
  for (const [name, run] of steps) {
    const begun = performance.now();
    const { ok, output } = await run().catch((error: unknown) => ({ ok: false, output: String(error) }));
    console.log(`${ok ? styleText("green", "✔") : styleText("red", "✘")} ${name} ${styleText("dim", seconds(begun))}`);
    if (ok) continue;
    failed.push(name);
    console.log(output.trimEnd().replaceAll(/^/gm, "  "));
  }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
