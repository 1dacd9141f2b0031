import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TEMPLATE_FILE } from "../src/database/template-database.ts";

const source = fileURLToPath(new URL("../src/", import.meta.url));
/** The files that the template database depends on. */
const files = [
  "memory/pack-template.ts",
  "search/vector-store.ts",
  ...readdirSync(`${source}schema/migrations`).map((name) => `schema/migrations/${name}`),
];

/**
 * Packs the template database before the tests, as the build does: without it, opening a memory takes seconds. Most of the
 * time goes into PostgreSQL's `initdb`, so the result is kept until one of the files above changes.
 */
export function setup(): void {
  const made = statSync(TEMPLATE_FILE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (files.every((file) => statSync(source + file).mtimeMs < made)) return;
  execFileSync(
    process.execPath,
    ["--conditions=@dispatch/source", "--liftoff-only", `${source}memory/pack-template.ts`],
    {
      stdio: "inherit",
    },
  );
}
