import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SEED_FILE } from "../src/seed.ts";

/** Packs an empty database before the tests, as building the package does: without it each one that is opened takes seconds. */
export function setup(): void {
  if (existsSync(SEED_FILE)) return;
  const script = fileURLToPath(new URL("../src/pack-seed.ts", import.meta.url));
  execFileSync(process.execPath, ["--conditions=@dispatch/source", script], { stdio: "inherit" });
}
