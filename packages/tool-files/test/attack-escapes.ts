import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { attackTools } from "./attack-tools.ts";
import { makeWorktree, SECRET, snapshot, toolsIn } from "./worktree.ts";

type Worktree = ReturnType<typeof makeWorktree>;

/** Lays links that lead out. */
export function layLinks({ at, outside }: Worktree): void {
  fs.mkdirSync(at("inside"));
  const links: Readonly<Record<string, string>> = {
    out: outside,
    file: join(outside, "secret.txt"),
    relative: "../root-evil",
    "chain-1": "out",
    "chain-2": "chain-1",
    dangling: join(outside, "not-there.txt"),
    "dangling-directory": join(outside, "not-there"),
    "inside/up": "..",
    winding: "inside/../../root-evil",
    slashed: `${outside}/`,
    doubled: `..//root-evil/./`,
    proc: "/proc/self/cwd",
    "proc-root": "/proc/self/root",
    environ: "/proc/self/environ",
    descriptor: "/dev/fd/0",
    stdin: "/dev/stdin",
    self: "self",
    loop: "loop-back",
    "loop-back": "loop",
  };
  for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, at(name));
}

/** Paths that lead out once {@link layLinks} was there. */
const escapes = (outside: string, root: string): readonly string[] => [
  "../root-evil/secret.txt",
  "..",
  "../",
  "./..",
  "inside/../..",
  "inside/../../root-evil/secret.txt",
  "inside/up/../root-evil/secret.txt",
  "./inside/./../..//root-evil/secret.txt",
  `${outside}/secret.txt`,
  outside,
  `${root}-evil/secret.txt`,
  `${root}/../root-evil/secret.txt`,
  `${root}/inside/../../root-evil`,
  root.toUpperCase(),
  `//${outside}/secret.txt`,
  "/etc/passwd",
  "/",
  "//",
  "/proc/self/environ",
  "/dev/stdin",
  "file",
  "file/",
  "out/secret.txt",
  "out/",
  "out/sub/../secret.txt",
  "out/../secret.txt",
  "relative/secret.txt",
  "relative/",
  "chain-2/secret.txt",
  "chain-2/sub/",
  "dangling-directory/x.txt",
  "winding/secret.txt",
  "slashed/secret.txt",
  "doubled/secret.txt",
  "inside/up/out/secret.txt",
  "inside/up/..",
  "proc/package.json",
  "proc-root/etc/passwd",
  "environ",
  "descriptor",
  "stdin",
];

/** Registers the tests of paths, names and links that lead out, for every tool. */
export function describeEscapes(): void {
  describe.each(Object.entries(attackTools))("%s", (name, params) => {
    test("reaches nothing outside by any path", async () => {
      const worktree = makeWorktree();
      layLinks(worktree);
      const { root, outside, home } = worktree;
      const call = toolsIn(root);
      const before = snapshot(home);
      for (const path of escapes(outside, root)) {
        const result = await call(name, params(path));
        expect(result.success, `${path}: ${String(result)}`).toBe(false);
        // A name that is taken, or a path of a directory where a file is to be written, is refused for that alone.
        expect(result, path).toMatchObject({
          code: expect.stringMatching(/^(outside_worktree|wrong_kind|file_exists)$/),
        });
        expect(String(result), path).not.toContain(SECRET);
        expect(String(result), path).not.toContain(home);
        expect(JSON.stringify(result), path).not.toContain(SECRET);
      }
      expect(snapshot(home)).toEqual(before);
    });

    test("reaches nothing outside when the worktree is itself named by a link", async () => {
      const { root, outside, home, at } = makeWorktree();
      fs.symlinkSync(outside, at("out"));
      const alias = join(home, "alias");
      fs.symlinkSync(root, alias);
      const before = snapshot(home);
      for (const path of [
        "../root-evil/secret.txt",
        "out/secret.txt",
        "out/",
        `${alias}-evil`,
        `${alias}/../root-evil`,
      ])
        expect((await toolsIn(alias)(name, params(path))).success, path).toBe(false);
      expect(snapshot(home)).toEqual(before);
    });

    test("does not make the target of a dangling link outside", async () => {
      const worktree = makeWorktree();
      layLinks(worktree);
      const result = await toolsIn(worktree.root)(name, params("dangling"));
      expect(result.success).toBe(false);
      expect(fs.existsSync(join(worktree.outside, "not-there.txt"))).toBe(false);
      expect(String(result)).not.toContain(worktree.home);
    });

    test("ends with an error in a loop of links", async () => {
      const worktree = makeWorktree();
      layLinks(worktree);
      for (const path of ["self", "self/x", "loop", "loop/", "loop-back/x"]) {
        const result = await toolsIn(worktree.root)(name, params(path));
        expect(result, path).toMatchObject({
          success: false,
          code: expect.stringMatching(/^(invalid_path|wrong_kind|file_exists)$/),
        });
      }
    });

    test("does not follow a link that appears where a directory was", async () => {
      const { root, outside, at } = makeWorktree({ "dir/secret.txt": `${SECRET.slice(8)} inside\n` });
      const call = toolsIn(root);
      await call(name, params("dir/secret.txt"));
      fs.renameSync(at("dir"), at("moved"));
      fs.symlinkSync(outside, at("dir"));
      const before = snapshot(outside);
      const result = await call(name, params("dir/secret.txt"));
      expect(result).toMatchObject({ success: false, code: "outside_worktree" });
      expect(snapshot(outside)).toEqual(before);
    });
  });
}
