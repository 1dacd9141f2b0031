import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { root, runCommand, type Outcome } from "../machine/run-command.ts";
import { runPnpm } from "../machine/run-pnpm.ts";
import { findBrokenLinks } from "./broken-links.ts";
import { checkSize } from "./size-budget.ts";

/** Files that every published package contains beside its code. */
const CARRIED = ["README.md", "LICENSE"];

/**
 * Packs a built package as it would be published and checks the tarball: that it keeps its size, that its entries resolve (publint), that their
 * types do (attw), that the required files are there, and that every link of its pages leads to a file in it.
 *
 * @param directory - The package's directory, relative to the root.
 */
export async function checkPackage(directory: string): Promise<Outcome> {
  const target = await mkdtemp(path.join(tmpdir(), "dispatch-pack-"));
  try {
    const packed = await runPnpm(["pack", "--pack-destination", target], { cwd: path.join(root, directory) });
    const tarball = (await readdir(target)).find((name) => name.endsWith(".tgz"));
    if (!packed.ok || tarball === undefined) return { ok: false, output: packed.output };
    const file = path.join(target, tarball);
    const outcomes = [
      checkSize(directory, file),
      await checkCarried(file),
      await checkLinks(file, target),
      await runCommand("publint", ["run", file, "--strict"]),
      await runCommand("attw", [file, "--profile", "esm-only", "--no-emoji", "--no-color"]),
    ];
    const failed = outcomes.filter((outcome) => !outcome.ok);
    return { ok: failed.length === 0, output: failed.map((outcome) => outcome.output).join("\n") };
  } finally {
    await rm(target, { recursive: true });
  }
}

async function checkCarried(tarball: string): Promise<Outcome> {
  const { ok, output } = await runCommand("tar", ["-tzf", tarball]);
  if (!ok) return { ok, output };
  const files = output.split("\n");
  const missing = CARRIED.filter((name) => !files.includes(`package/${name}`));
  return { ok: missing.length === 0, output: `Cannot publish: the tarball has no ${missing.join(" and no ")}` };
}

async function checkLinks(tarball: string, target: string): Promise<Outcome> {
  const unpacked = await runCommand("tar", ["-xzf", tarball, "-C", target]);
  if (!unpacked.ok) return unpacked;
  const directory = path.join(target, "package");
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const file = path.join(parentPath, name);
        const text = name.endsWith(".md") ? await readFile(file, "utf8") : "";
        return [path.relative(directory, file).replaceAll(path.sep, "/"), text] as const;
      }),
  );
  const broken = findBrokenLinks(new Map(files));
  return { ok: broken.length === 0, output: broken.map((one) => `Cannot publish: ${one}`).join("\n") };
}
