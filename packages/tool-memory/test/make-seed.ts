import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TEMPLATE_FILE } from "../src/database/template-database.ts";

const source = fileURLToPath(new URL("../src/", import.meta.url));
/** What the seed is made of. */
const files = [
  "memory/pack-template.ts",
  "search/vector-store.ts",
  ...readdirSync(`${source}schema/migrations`).map((name) => `schema/migrations/${name}`),
];

/** Packs an empty memory before the tests, as building the package does: without it each one that is opened takes seconds. */
export function setup(): void {
  const made = statSync(TEMPLATE_FILE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (files.every((file) => statSync(source + file).mtimeMs < made)) return;
  execFileSync(process.execPath, ["--conditions=@dispatch/source", `${source}memory/pack-template.ts`], {
    stdio: "inherit",
  });
}
