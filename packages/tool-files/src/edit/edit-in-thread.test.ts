import fs from "node:fs";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { isQuickEdit } from "./make-edit.ts";

const equalLines = (count: number) => "    0x00, 0x00, 0x00, 0x00,\n".repeat(count);
/** Lines that are nearly in a file of equal lines: only the last of them is not. */
const staleLines = `${equalLines(2000)}    0x01,\n`;
const content = `const table = {\n${equalLines(40_000)}};\n`;

/** Turns of the event loop until a promise settles. */
async function turnsUntil(pending: Promise<unknown>): Promise<number> {
  let settled = false;
  const settle = () => (settled = true);
  pending.then(settle, settle);
  for (let turns = 0; ; turns += 1) {
    if (settled) return turns;
    await setImmediate();
  }
}

test("edit_file lets other calls and timers go on while it looks for a long text", async () => {
  const { root } = makeWorktree({ "a.c": content, "b.txt": "other\n" });
  const call = toolsIn(root);
  const order: string[] = [];
  const long = call("edit_file", { path: "a.c", edits: [{ old_text: staleLines, new_text: "" }] });
  const turns = turnsUntil(long.then(() => order.push("long")));
  await call("edit_file", { path: "b.txt", edits: [{ old_text: "other", new_text: "edited" }] });
  order.push("short");
  expect(await turns).toBeGreaterThan(100);
  expect(order).toEqual(["short", "long"]);
  expect(await long).toMatchObject({ success: false, code: "text_not_found" });
});

test("edit_file in a thread ends when it is cancelled, and changes nothing", async () => {
  const { root, text } = makeWorktree({ "a.c": content });
  const call = toolsIn(root);
  const controller = new AbortController();
  const edits = [{ old_text: "const table", new_text: "static table" }];
  const pending = call("edit_file", { path: "a.c", edits }, controller.signal);
  // Nothing a thread answers is there in the next turn.
  await setImmediate();
  controller.abort();
  expect(await pending).toMatchObject({ success: false, code: "cancelled" });
  expect(text("a.c")).toBe(content);
  expect(await call("edit_file", { path: "a.c", edits })).toMatchObject({ success: true });
});

test("edit_file in a thread loses no edit and no change by anybody else", async () => {
  const { root, at, text } = makeWorktree({ "a.c": content });
  const call = toolsIn(root);
  const edit = (old_text: string, new_text: string) =>
    call("edit_file", { path: "a.c", edits: [{ old_text, new_text }] });
  const pending = [edit("const table", "static table"), edit("};\n", "0 };\n")];
  await setImmediate();
  fs.writeFileSync(at("a.c"), `// theirs\n${content}`);
  expect(await Promise.all(pending)).toMatchObject([{ success: true }, { success: true }]);
  expect(text("a.c")).toBe(`// theirs\nstatic table = {\n${equalLines(40_000)}0 };\n`);
});

test("edit_file in a thread gives the errors and answers of any other", async () => {
  const { root, at } = makeWorktree({ "a.c": content, "binary.bin": Buffer.alloc(300_000, 0) });
  const call = toolsIn(root);
  const edit = (path: string, old_text: string, if_version?: string) =>
    call("edit_file", { path, edits: [{ old_text, new_text: "x" }], ...(if_version !== undefined && { if_version }) });
  expect(await edit("binary.bin", "a")).toMatchObject({ code: "binary_file" });
  expect(await edit("a.c", "0x00")).toMatchObject({ code: "text_ambiguous" });
  expect(await edit("a.c", "missing")).toMatchObject({ code: "text_not_found" });
  const { version } = dataOf<{ version: string }>(await edit("a.c", "const table"));
  fs.writeFileSync(at("a.c"), `${content}// theirs\n`);
  expect(await edit("a.c", "const", version)).toMatchObject({ code: "version_conflict" });
});

test("isQuickEdit() keeps from the event loop what may take long, by file, edits, lines and encoding", () => {
  const request = (now: string, edits: number, text = "a", base?: string, encoding?: string) =>
    isQuickEdit({
      attempt: "",
      path: "a",
      now: Buffer.from(now),
      encoding,
      edits: Array.from({ length: edits }, () => ({ old_text: text, new_text: "b" })),
      expected: base === undefined ? undefined : { ifVersion: "AAAAAAAAAA", base: Buffer.from(base) },
    });
  expect(request("short\n", 200)).toBe(true);
  expect(request("a\n".repeat(10_000), 1)).toBe(true);
  expect(request("a\n".repeat(20_000), 200)).toBe(false);
  expect(request("a".repeat(200_000), 1)).toBe(false);
  expect(request("short\n", 1, "a".repeat(200_000))).toBe(false);
  expect(request("short\n", 1, "a\n".repeat(500))).toBe(false);
  expect(request("short\n", 1, "a", "base\n")).toBe(true);
  expect(request("short\n", 1, "a", undefined, "GBK")).toBe(false);
  expect(request("short\n", 1, "a", "base\n".repeat(500))).toBe(false);
});
