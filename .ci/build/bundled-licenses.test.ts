import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readBundledPackages, writeLicenses } from "./bundled-licenses.ts";

test("readBundledPackages() reads the packages that writeLicenses() wrote, whatever is in their licenses", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "licenses-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const files = await Promise.all([
    install(directory, { name: "@tea/kettle", version: "1.2.3", license: "MIT" }, "MIT\n\n---\n\nother 1.0.0 (ISC)\n"),
    install(directory, { name: "spoon", version: "4.0.0-rc.1", license: "(MIT OR Apache-2.0)", author: "Ada" }),
  ]);
  writeLicenses(directory, [...files, ...files, path.join(directory, "src/index.ts")]);
  expect(readBundledPackages(directory)).toEqual([
    { name: "@tea/kettle", version: "1.2.3", license: "MIT" },
    { name: "spoon", version: "4.0.0-rc.1", license: "(MIT OR Apache-2.0)" },
  ]);
});

test("writeLicenses() names the workspace's packages whose built files are in a command, and what those hold", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "licenses-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [tool, command] = [path.join(root, "packages/tool"), path.join(root, "packages/command")];
  for (const directory of [tool, command]) await mkdir(path.join(directory, "dist"), { recursive: true });
  await writeFile(path.join(tool, "package.json"), `{ "name": "@tea/tool", "version": "0.1.0", "license": "MIT" }`);
  const kettle = await install(tool, { name: "kettle", version: "1.2.3", license: "ISC" }, "ISC\n");
  const spoon = await install(root, { name: "spoon", version: "4.0.0", license: "MIT" }, "MIT\n");
  writeLicenses(path.join(tool, "dist"), [kettle, spoon, path.join(tool, "src/index.ts")]);
  writeLicenses(path.join(command, "dist"), [
    spoon,
    path.join(tool, "dist/index.js"),
    path.join(command, "src/main.ts"),
  ]);
  const named = readBundledPackages(path.join(command, "dist")).map(({ name, license }) => `${name} ${license}`);
  expect(named.toSorted()).toEqual(["@tea/tool MIT", "kettle ISC", "spoon MIT"]);
});

test("readBundledPackages() finds none where a build has none", () => {
  expect(readBundledPackages(path.join(tmpdir(), "no-such-build"))).toEqual([]);
});

async function install(directory: string, manifest: Readonly<Record<string, string>>, license?: string) {
  const installed = path.join(directory, "node_modules", manifest["name"] ?? "");
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, "package.json"), JSON.stringify(manifest));
  if (license !== undefined) await writeFile(path.join(installed, "LICENSE"), license);
  return path.join(installed, "index.js");
}
