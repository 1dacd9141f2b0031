import { expect, test } from "vitest";
import { layTrack, race } from "./race.ts";
import { makeWorktree, toolsIn } from "./worktree.ts";

/** How long the attack goes on, in milliseconds; and at least this many operations. The long run is a benchmark. */
const DURATION = 4000;
const MIN_OPERATIONS = 3000;

// Where the kernel's strength is not to be had, another process can win such a race: the package says so.
test.runIf(process.platform === "linux")(
  "all tools stay inside while another process exchanges files and directories with links to the outside",
  async () => {
    const worktree = makeWorktree();
    layTrack(worktree);
    const end = Date.now() + DURATION;
    const tools = [toolsIn(worktree.root), toolsIn(worktree.root, { ripgrep: false })];
    const { escapes, succeeded, naive, operations } = await race(
      worktree,
      tools,
      (so) =>
        Date.now() < end || so.operations < MIN_OPERATIONS || so.naive === 0 || Object.keys(so.succeeded).length < 6,
    );
    expect(escapes).toEqual([]);
    expect(naive).toBeGreaterThan(0);
    expect(Object.keys(succeeded).toSorted()).toEqual([
      "create_file",
      "edit_file",
      "list_files",
      "read_file",
      "search_files",
      "write_file",
    ]);
    const all = Object.values(succeeded).reduce((sum, count) => sum + count, 0);
    expect(all / operations).toBeGreaterThan(0.3);
  },
);
