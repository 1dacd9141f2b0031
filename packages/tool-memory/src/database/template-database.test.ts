import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTemplate, TEMPLATE_FILE, unpackTemplate } from "./template-database.ts";

test("the seed, where the package was built, is a whole database; where it was not, there is none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "seed-"));
  try {
    const home = join(folder, "pg");
    const isBuilt = existsSync(TEMPLATE_FILE);
    expect(await unpackTemplate(home)).toBe(isBuilt);
    expect(readTemplate() !== undefined).toBe(isBuilt);
    expect(existsSync(home)).toBe(isBuilt);
    if (!isBuilt) return;
    expect(readFileSync(join(home, "PG_VERSION"), "utf8")).toBe("18\n");
    expect(readFileSync(join(home, "global", "pg_control"))).toHaveLength(8192);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
