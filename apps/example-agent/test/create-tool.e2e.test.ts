import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findSystemNode } from "./packed/nodes.ts";
import { packAll } from "./packed/packages.ts";
import { readReadme } from "./packed/readme.ts";
import { runProgram } from "./packed/run-program.ts";

/** A stranger's directory: nothing of the repository is near it. */
let scratch: string;
let tarballs: Readonly<Record<string, string>>;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "dispatch-create-"));
  tarballs = await packAll(scratch);
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

test("a package made by the published generator builds, passes its tests and runs its README's example", async ({
  skip,
}) => {
  if ((await findSystemNode()) === undefined) return skip("no Node >= 20.19 is on the path");
  const tarball = tarballs["@dispatch/tools-interface"] ?? "";
  const made = ["--yes", "--package", tarball, "dispatch-create-tool", "look_up_order", "--name", "@acme/tool-orders"];
  expect(await runProgram("npx", made, scratch)).toContain("npm test");

  const directory = path.join(scratch, "tool-look-up-order");
  const file = path.join(directory, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as { dependencies: Record<string, string> };
  // The version that is being made is not on the registry yet.
  manifest.dependencies["@dispatch/tools-interface"] = tarball;
  writeFileSync(file, JSON.stringify(manifest));

  await runProgram("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], directory);
  expect(await runProgram("npm", ["test"], directory)).toMatch(/Tests .*2\d passed/);
  await runProgram("npm", ["run", "check"], directory);
  await runProgram("npm", ["run", "build"], directory);
  const { example } = await readReadme(directory);
  writeFileSync(path.join(directory, "example.mjs"), example);
  expect(await runProgram("node", ["example.mjs"], directory)).toContain("6");
  expect(await runProgram("npm", ["pack", "--dry-run"], directory)).toContain("acme-tool-orders-0.0.0.tgz");
});
