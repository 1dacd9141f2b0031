import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sandbox, temporaryFolder } from "../../../test/sandbox.ts";
import { CodeCache } from "./code-cache.ts";
import { findDeno } from "./deno-binary.ts";
import { OrphanGuard } from "./orphan-guard.ts";

describe("CodeCache", () => {
  test("gives what was compiled to further processes, and leaves nothing behind", async () => {
    const tempDir = temporaryFolder();
    const guard = new OrphanGuard();
    const cache = new CodeCache();
    await cache.prepare({ denoPath: findDeno(), heapMb: 256, tempDir, guard });
    guard.close();
    expect(readdirSync(tempDir)).toEqual([]);
    const folder = path.join(tempDir, "next");
    mkdirSync(folder);
    expect(cache.copyTo(folder)).toBe(true);
    expect(readdirSync(folder)).toContain("v8_code_cache_v2");
  });

  test("does without when there is no Deno", async () => {
    const tempDir = temporaryFolder();
    const cache = new CodeCache();
    await cache.prepare({ denoPath: "/nowhere/deno", heapMb: 256, tempDir, guard: new OrphanGuard() });
    expect(cache.copyTo(tempDir)).toBe(false);
    expect(readdirSync(tempDir)).toEqual([]);
  });
});

test("programs run with it, one after the other", async () => {
  const run = sandbox({ prewarm: 0 });
  const values: unknown[] = [];
  for (let round = 0; round < 4; round += 1) {
    values.push((await run(`const a: number = ${round}; return a`)).value);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(values).toEqual([0, 1, 2, 3]);
});
