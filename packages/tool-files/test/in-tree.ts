import fs from "node:fs";
import { dirname } from "node:path";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import type { Sandbox } from "../src/sandbox/sandbox.ts";
import { makeWorktree } from "./worktree.ts";

/** Acts in a tree with these paths and these rules in its `.gitignore`, and removes it. `make` makes what is at a path. */
export async function inTree(
  paths: readonly string[],
  rules: string,
  act: (sandbox: Sandbox) => Promise<void>,
  make: (path: string, index: number) => void = (path) => fs.writeFileSync(path, ""),
): Promise<void> {
  const { root, at } = makeWorktree({ ".gitignore": rules });
  for (const [index, one] of paths.entries()) {
    try {
      fs.mkdirSync(dirname(at(one)), { recursive: true });
      make(at(one), index);
    } catch {
      // A file is where a directory would have to be, or the other way round.
    }
  }
  const sandbox = openSandbox(root);
  try {
    await act(sandbox);
  } finally {
    sandbox.close();
    fs.rmSync(root, { recursive: true });
  }
}
