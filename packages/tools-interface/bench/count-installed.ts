import { execFileSync, type ExecFileSyncOptions } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { packageDirectory } from "./built-package.ts";

/**
 * Packs the built package, installs it with npm in an empty directory, and counts the installed packages, itself
 * included, without zod.
 */
export function countInstalled(): number {
  const target = mkdtempSync(path.join(tmpdir(), "dispatch-install-"));
  try {
    const quiet: ExecFileSyncOptions = { stdio: ["ignore", "ignore", "inherit"] };
    execFileSync("npx", ["--yes", "pnpm", "pack", "--pack-destination", target], { ...quiet, cwd: packageDirectory });
    const tarball = readdirSync(target).find((name) => name.endsWith(".tgz")) ?? "";
    writeFileSync(path.join(target, "package.json"), '{ "private": true }');
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", ["install", `./${tarball}`, ...flags], { ...quiet, cwd: target });
    const lock = JSON.parse(readFileSync(path.join(target, "package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, unknown>>;
    };
    return Object.keys(lock.packages).filter((name) => name !== "" && name !== "node_modules/zod").length;
  } finally {
    rmSync(target, { recursive: true });
  }
}
