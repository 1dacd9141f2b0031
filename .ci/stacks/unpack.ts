import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { root, runCommand } from "../machine/run-command.ts";
import { runPnpm } from "../machine/run-pnpm.ts";

/** The packages, as they would be published, beside the bundlers, and the tarballs that they come from. */
export async function setup(): Promise<void> {
  const built = await runCommand("turbo", ["run", "build", "--output-logs=errors-only"]);
  if (!built.ok) throw new Error(`Cannot build the packages:\n${built.output}`);
  const tarballs = path.join(import.meta.dirname, "node_modules/.tarballs");
  rmSync(tarballs, { recursive: true, force: true });
  mkdirSync(tarballs, { recursive: true });
  for (const manifest of globSync("packages/*/package.json", { cwd: root })) {
    const directory = path.dirname(manifest);
    const packed = await runPnpm(["pack", "--pack-destination", tarballs], { cwd: path.join(root, directory) });
    if (!packed.ok) throw new Error(`Cannot pack ${directory}:\n${packed.output}`);
    const name = path.basename(directory);
    const [tarball] = globSync(`dispatch-${name}-*.tgz`, { cwd: tarballs });
    const target = path.join(import.meta.dirname, "node_modules/@dispatch", name);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", path.join(tarballs, tarball ?? ""), "-C", target, "--strip-components=1"]);
  }
}
