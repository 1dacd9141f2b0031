import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forgetOnDisk } from "./forgotten-bytes.ts";

test("what was forgotten is in no file of the directory, open or closed, and the history holds", async () => {
  const root = mkdtempSync(join(tmpdir(), "forgotten-"));
  try {
    const { before, found, ok } = await forgetOnDisk(join(root, "memory"), 3);
    expect(Math.min(...before)).toBeGreaterThan(0);
    expect(found).toEqual([]);
    expect(ok).toBe(true);
  } finally {
    rmSync(root, { recursive: true });
  }
});
