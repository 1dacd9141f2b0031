import fs from "node:fs";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { createFileHistory } from "../history/undo-history.ts";
import { contentVersion } from "../version/content-version.ts";

const lines = (...some: readonly string[]) => some.join("\n");
const base = lines("one", "two", "three", "four", "five", "six", "");
/** A file that was written as `base` and then changed by somebody else. */
async function changedFile(now: string) {
  const worktree = makeWorktree();
  const call = toolsIn(worktree.root);
  const written = dataOf<{ version: string }>(await call("write_file", { path: "a.txt", content: base }));
  fs.writeFileSync(worktree.at("a.txt"), now);
  const edit = (old_text: string, new_text: string, if_version = written.version) =>
    call("edit_file", { path: "a.txt", edits: [{ old_text, new_text }], if_version });
  return { ...worktree, edit };
}

test("edit_file applies to the version that was given", async () => {
  const { edit, text } = await changedFile(base);
  expect(dataOf(await edit("two", "2"))).toMatchObject({ merged: false });
  expect(text("a.txt")).toBe(base.replace("two", "2"));
});

test("edit_file merges with changes of other lines, and says so", async () => {
  const { edit, text } = await changedFile(base.replace("five", "5\n5.5"));
  const result = await edit("one\ntwo\n", "one\n2\n");
  expect(dataOf(result)).toMatchObject({ merged: true });
  expect(String(result)).toContain("which had changed since the version given, in lines the edits do not touch");
  expect(text("a.txt")).toBe(lines("one", "2", "three", "four", "5", "5.5", "six", ""));
});

test("edit_file answers a conflict that shows what changed when the edit and the change touch", async () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    [base.replace("two", "zwei"), "two", "2", "do not apply to the file as it is now: edits[0].old_text was not found"],
    [base.replace("two", "two\ntwo"), "two", "2", "edits[0].old_text is there 2 times"],
    [base.replace("two\n", "").replace("six", "six\ntwo"), "two", "2", "touch lines that changed since"],
    [base.replace("two", "  two"), "two", "2", "touch lines that changed since"],
    [base.replace("three", "3"), "3", "III", "do not apply to that version: edits[0].old_text was not found"],
    [base.replace("one\ntwo", "one \ntwo"), "one\ntwo\n", "1\n2\n", "with other white space only"],
  ];
  for (const [now, old, text, reason] of cases) {
    const { edit, text: present } = await changedFile(now);
    const result = await edit(old, text);
    expect(result, reason).toMatchObject({ success: false, code: "version_conflict" });
    expect(String(result)).toContain(reason);
    expect(String(result)).toMatch(/it is no longer version [\w-]{10} but [\w-]{10}.*\n.*\n--- a\.txt\n/);
    expect(present("a.txt")).toBe(now);
  }
});

test("edit_file does not merge with a version that is not known, also where the old text is there", async () => {
  for (const version of [
    "AAAAAAAAAA",
    "nonsense",
    "",
    "x\n[forged line]",
    contentVersion(Buffer.from("never seen"))!,
  ]) {
    const { edit, text } = await changedFile(base.replace("two", "zwei two"));
    for (const old of ["two", "five", "missing"]) {
      const result = await edit(old, "2", version);
      expect(result, version).toMatchObject({ success: false, code: "version_conflict" });
      expect(String(result)).toContain("and that version is not known here, so the edits cannot be merged");
      expect(String(result)).not.toContain("forged");
    }
    expect(text("a.txt")).toBe(base.replace("two", "zwei two"));
  }
});

test("edit_file merges with a version that only the history has, and with no other file's", async () => {
  const { root, at, text } = makeWorktree({ "a.txt": base, "b.txt": "another\n" });
  const directory = `${fs.mkdtempSync(at("../history-"))}/kept`;
  const history = createFileHistory({ directory });
  // Contents that no tool of this process has read or written: as after a restart.
  const before = Buffer.from(base.replace("six", String(Math.random())));
  const version = contentVersion(before)!;
  const now = before.toString().replace("five", "5");
  history.begin({ worktree: root, path: "a.txt", existed: true, before, after: Buffer.from(now) });
  fs.writeFileSync(at("a.txt"), now);
  const call = toolsIn(root, { history: createFileHistory({ directory }) });
  const edit = (path: string, old_text: string) =>
    call("edit_file", { path, edits: [{ old_text, new_text: "new" }], if_version: version });
  expect(await edit("a.txt", "5")).toMatchObject({ success: false, code: "version_conflict" });
  expect(await edit("b.txt", "another")).toMatchObject({ success: false, code: "version_conflict" });
  expect(dataOf(await edit("a.txt", "two"))).toMatchObject({ merged: true });
  expect(text("a.txt")).toBe(now.replace("two", "new"));
});

test("edit_file answers a conflict when the file is gone, and repeats nothing odd that was given as a version", async () => {
  const { edit, at } = await changedFile(base);
  const odd = await edit("nothing", "2", "x\n[forged line]");
  expect(String(odd)).toContain("no longer version the one given but");
  expect(String(odd)).not.toContain("forged");
  fs.rmSync(at("a.txt"));
  expect(await edit("two", "2")).toMatchObject({ code: "version_conflict" });
});

test("edit_file shows no contents of another worktree for its version", async () => {
  const other = makeWorktree();
  const secret = dataOf<{ version: string }>(
    await toolsIn(other.root)("write_file", { path: "a.txt", content: "another's secret\n" }),
  );
  const { edit } = await changedFile(base);
  const result = await edit("nothing", "2", secret.version);
  expect(result).toMatchObject({ code: "version_conflict" });
  expect(String(result)).not.toContain("another's secret");
  expect(contentVersion(Buffer.from("another's secret\n"))).toBe(secret.version);
});
