import { expect, test } from "vitest";
import { whenAThreadWorks } from "../../test/when-a-thread-works.ts";
import { makeWorktree, snapshot, toolsIn } from "../../test/worktree.ts";

test("a patch that takes long is made in a thread, which the call's signal ends", async () => {
  const { root, text } = makeWorktree({ "a.txt": "x\n".repeat(100_000), "b.txt": `${"y\n".repeat(100_000)}end\n` });
  const call = toolsIn(root, { tools: ["apply_patch"] });
  const patch = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  const twice = patch(
    "*** Update File: b.txt",
    "@@",
    "-end",
    "+first",
    "*** Update File: b.txt",
    "@@",
    "-first",
    "+second",
  );
  expect((await call("apply_patch", { patch: twice })).success).toBe(true);
  expect(text("b.txt").slice(-9)).toBe("y\nsecond\n");
  const before = snapshot(root);
  const controller = new AbortController();
  const slow = patch("*** Update File: a.txt", "@@", ...Array<string>(20_000).fill("-x"), "+z");
  // The event loop is free meanwhile: this is reached before the answer.
  whenAThreadWorks(() => controller.abort());
  expect(await call("apply_patch", { patch: slow }, controller.signal)).toMatchObject({
    success: false,
    code: "cancelled",
  });
  expect(snapshot(root)).toEqual(before);
});
