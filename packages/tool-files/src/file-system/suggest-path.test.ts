import { expect, test, vi } from "vitest";
import { makeWorktree } from "../../test/worktree.ts";
import { FileNotFoundError } from "../error/files-error.ts";
import type { WorktreeContext } from "../sandbox/worktree-context.ts";
import { sharingSuggestionTime, withSuggestions } from "./suggest-path.ts";

function missingIn(context: WorktreeContext): Promise<unknown> {
  const missing = () => Promise.reject(new FileNotFoundError("not there"));
  return Promise.resolve(withSuggestions(context, "src/only-once.ts", missing));
}

test("withSuggestions() names no paths once the time that calls share is spent", async () => {
  const { root } = makeWorktree({ "docs/only-once.ts": "x\n" });
  const own = { worktreePath: root };
  const shared = sharingSuggestionTime(own);
  await expect(missingIn(shared)).rejects.toThrow('not there; did you mean "docs/only-once.ts"?');
  // Each look at the clock finds a second gone.
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1_000));
  await missingIn(shared).catch(() => undefined);
  clock.mockRestore();
  await expect(missingIn(shared)).rejects.toThrow(/^not there$/);
  await expect(missingIn(own)).rejects.toThrow('not there; did you mean "docs/only-once.ts"?');
});
