import { expect, test } from "vitest";
import { isEscape, layTrack, race, RACING_TOOLS } from "./race.ts";
import { makeWorktree, toolsIn } from "./worktree.ts";

/** Calls at least, with both search engines. The long run is a benchmark. */
const MIN_OPERATIONS = 3000;
/** How often a read by name has to get out before the race counts: the other process is then at work all the time. */
const MIN_NAIVE = 5;

test("isEscape() sees a text, a notebook, a PDF and an image of the outside", async () => {
  const worktree = makeWorktree();
  layTrack(worktree);
  const tools = { tools: RACING_TOOLS };
  for (const [root, found] of [
    [worktree.outside, true],
    [worktree.root, false],
  ] as const) {
    const call = toolsIn(root, tools);
    const at = (name: string) => (found ? name : `x/dir/${name}`);
    for (const [tool, name] of [
      ["read_file", "secret.txt"],
      ["read_notebook", "cells.ipynb"],
      ["read_file", "pages.pdf"],
      ["read_file", "image.png"],
    ] as const) {
      const result = await call(tool, { path: at(name) });
      expect(result, name).toMatchObject({ success: true });
      expect(isEscape(JSON.stringify(result)), name).toBe(found);
    }
  }
});

// Where the kernel's strength is not to be had, another process can win such a race: the package says so.
test(
  "all tools stay inside while another process exchanges files and directories with links to the outside",
  { timeout: 300_000 },
  async ({ signal, skip }) => {
    skip(process.platform !== "linux", "needs Linux");
    const worktree = makeWorktree();
    layTrack(worktree);
    const tools = [{}, { ripgrep: false } as const].map((options) =>
      toolsIn(worktree.root, { ...options, tools: RACING_TOOLS }),
    );
    const { escapes, succeeded, naive, operations } = await race(
      worktree,
      tools,
      (so) =>
        so.operations < MIN_OPERATIONS ||
        so.naive < MIN_NAIVE ||
        Object.keys(so.succeeded).length < RACING_TOOLS.length,
      signal,
    );
    expect(escapes).toEqual([]);
    expect(naive).toBeGreaterThanOrEqual(MIN_NAIVE);
    expect(Object.keys(succeeded).toSorted()).toEqual(RACING_TOOLS.toSorted());
    const all = Object.values(succeeded).reduce((sum, count) => sum + count, 0);

    expect(all / operations).toBeGreaterThan(0.3);
  },
);
