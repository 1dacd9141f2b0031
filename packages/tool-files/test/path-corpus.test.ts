import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { makeWorktree, toolsIn } from "./worktree.ts";

/** Paths that found a fault, or come close to one. A new one becomes a line. */
const corpus = readFileSync(new URL("corpus/paths.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => (JSON.parse(line) as { readonly input: string }).input);

test("no tool reads or writes outside of the worktree at any of the kept paths", async () => {
  const { root } = makeWorktree({
    "w/kept.txt": "kept\n",
    "w/dir/a.txt": "a\n",
    "outside/x": "secret\n",
    x: "secret\n",
  });
  const worktree = path.join(root, "w");
  symlinkSync("../outside", path.join(worktree, "outward"));
  symlinkSync("loop", path.join(worktree, "loop"));
  mkdirSync(path.join(worktree, ".git"));
  writeFileSync(path.join(worktree, ".git/config"), "[core]\n");
  const all = (): string[] =>
    readdirSync(root)
      .concat(readdirSync(path.join(root, "outside")))
      .toSorted();
  const before = all();
  const call = toolsIn(worktree);
  for (const input of corpus) {
    const calls = [
      call("read_file", { path: input }),
      call("create_file", { path: input, content: "new" }),
      call("edit_file", { path: input, edits: [{ old_text: "secret", new_text: "mine" }] }),
      call("list_files", { path: input }),
    ];
    for (const result of await Promise.all(calls)) {
      expect(String(result), JSON.stringify(input)).not.toContain("secret\n");
      expect(String(result), JSON.stringify(input)).not.toContain(root);
    }
    expect(all(), JSON.stringify(input)).toEqual(before);
    for (const file of ["outside/x", "x"]) expect(readFileSync(path.join(root, file), "utf8")).toBe("secret\n");
    expect(readFileSync(path.join(worktree, ".git/config"), "utf8")).toBe("[core]\n");
  }
  expect(existsSync(path.join(worktree, "kept.txt"))).toBe(true);
});
