import { expect, test } from "vitest";
import { makeWorktree } from "../../test/worktree.ts";
import { FileNotFoundError } from "../error/files-error.ts";
import { SuggestionTime, withSuggestions } from "./suggest-path.ts";

test("withSuggestions() names no paths once the time that calls share is spent", async () => {
  const { root } = makeWorktree({ "docs/only-once.ts": "x\n" });
  const time = new SuggestionTime();
  const missing = async () =>
    withSuggestions(
      { worktreePath: root },
      "src/only-once.ts",
      () => Promise.reject(new FileNotFoundError("not there")),
      time,
    );
  await expect(missing()).rejects.toThrow('not there; did you mean "docs/only-once.ts"?');
  expect(time.leftMs).toBeLessThan(new SuggestionTime().leftMs);
  time.leftMs = 0;
  await expect(missing()).rejects.toThrow(/^not there$/);
});
