import fs from "node:fs";
import { expect, test } from "vitest";
import { makeWorktree } from "../../test/worktree.ts";
import { FilesError } from "../error/files-error.ts";
import { retryWhileBusy } from "../file-system/work-in-tree.ts";
import { WriteGate } from "../sandbox/write-gate.ts";
import { inTransaction } from "./transaction.ts";

const busy = new FilesError("Cannot move: it is being exchanged", { code: "unstable_path" });

function start(other: string | undefined) {
  const { root, at, text } = makeWorktree({ "a.txt": "END\n" });
  let tries = 0;
  const done = retryWhileBusy(
    () =>
      inTransaction(new WriteGate({}), {}, root, async (sandbox) => {
        tries += 1;
        sandbox.changeFile("a.txt", 100, (now) => Buffer.from(`once\n${now.toString()}`));
        if (tries === 2) return;
        if (other !== undefined) fs.appendFileSync(at("a.txt"), other);
        await Promise.reject(busy);
      }),
    new AbortController().signal,
  );
  return { done, text, tries: () => tries };
}

test("a patch does not begin anew over what it could not take back", async () => {
  const { done, text, tries } = start("other\n");
  await expect(done).rejects.toMatchObject({
    code: "file_changed",
    message: expect.stringContaining("some files stay changed") as string,
    cause: busy,
  });
  expect([tries(), text("a.txt")]).toEqual([1, "once\nEND\nother\n"]);
});

test("a patch that was taken back begins anew while its files are busy", async () => {
  const { done, text, tries } = start(undefined);
  await done;
  expect([tries(), text("a.txt")]).toEqual([2, "once\nEND\n"]);
});
