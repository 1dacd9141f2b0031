import fs from "node:fs";
import { resolve, sep } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeWorktree } from "../../test/worktree.ts";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxStrength } from "./sandbox-hooks.ts";

const strengths: readonly SandboxStrength[] = process.platform === "linux" ? ["kernel", "verified"] : ["verified"];

test.each(strengths)(
  "isWithinWorktree() is false for every path that leads out by a way that is not there (%s)",
  (strength) => {
    const { root, outside, at } = makeWorktree({ "a/b.txt": "b", "file.txt": "f" });
    fs.symlinkSync(outside, at("out"));
    fs.symlinkSync("missing/../../root-evil", at("broken"));
    fs.symlinkSync("loop", at("loop"));
    const sandbox = openSandbox(root, { strength });
    for (const path of [
      "missing/../../etc/passwd",
      "missing/..",
      "missing/../..",
      "missing/deeper/../../../etc/passwd",
      "a/missing/../../../etc/passwd",
      "missing/../out/secret.txt",
      "missing/../../root/a",
      "file.txt/../../etc/passwd",
      "file.txt/..",
      "file.txt/x",
      "a/b.txt/../../../root-evil/secret.txt",
      "broken",
      "broken/secret.txt",
      "loop/../../etc/passwd",
      "loop",
      "out/missing/../../root/a",
      `${root}/missing/../../../etc/passwd`,
      `${"x".repeat(300)}/../../etc/passwd`,
    ])
      expect(sandbox.isWithinWorktree(path), path).toBe(false);
    for (const path of ["a/../file.txt", "a/./b.txt", "missing/deeper/file", `${root}/missing/x`, "a/missing"])
      expect(sandbox.isWithinWorktree(path), path).toBe(true);
    sandbox.close();
    expect(sandbox.isWithinWorktree("a")).toBe(false);
  },
);

test("isWithinWorktree() is true only for paths that stay inside for a host that joins them, too", () => {
  const { root, outside, at } = makeWorktree({ "a/b/c.txt": "c", "file.txt": "f" });
  fs.symlinkSync(outside, at("out"));
  fs.symlinkSync("a/b", at("in"));
  const sandbox = openSandbox(root);
  const name = fc.constantFrom(
    "..",
    "..",
    ".",
    "",
    "a",
    "b",
    "c.txt",
    "file.txt",
    "missing",
    "out",
    "in",
    "secret.txt",
  );
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 7 }), (names) => {
      const path = names.join("/");
      fc.pre(!path.startsWith("/"));
      if (!sandbox.isWithinWorktree(path)) return;
      const joined = resolve(root, path);
      // Only a link to a directory further down makes joining lead elsewhere.
      if (!names.includes("in")) expect(joined === root || joined.startsWith(root + sep), path).toBe(true);
      const real = sandbox.resolvePath(path);
      expect(real === root || real.startsWith(root + sep), path).toBe(true);
      if (fs.existsSync(`${root}/${path}`)) expect(fs.realpathSync.native(`${root}/${path}`), path).toBe(real);
    }),
    { numRuns: 500 },
  );
  sandbox.close();
});
