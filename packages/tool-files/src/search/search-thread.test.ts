import fs from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeWorktree, toolsIn, withoutNote } from "../../test/worktree.ts";

describe.each([
  ["ripgrep", {}],
  ["the built-in engine", { ripgrep: false }],
] as const)("search_files with %s", (_, options) => {
  test("ends when it is cancelled, whatever the pattern costs", async () => {
    const { root } = makeWorktree({ "a.txt": `${"a".repeat(40)}!\n`.repeat(50) });
    const controller = new AbortController();
    const pending = toolsIn(root, options)("search_files", { query: "^(a+)+$", is_regex: true }, controller.signal);
    setTimeout(() => controller.abort(), 50);
    const result = await pending;
    // Linear engines are done by then.
    expect(result.success ? String(result) : result.code).toMatch(/^\[no matches|^cancelled$/);
  });

  test("leaves no process, thread or file descriptor behind", async () => {
    const { root } = makeWorktree({ "a.txt": "one Needle\ntwo needle\n", "src/b.ts": "needle = 1;\n" });
    const call = toolsIn(root, options);
    const count = () => (process.platform === "linux" ? fs.readdirSync("/proc/self/fd").length : 0);
    await call("search_files", { query: "needle" });
    const before = count();
    for (let round = 0; round < 3; round += 1) {
      await call("search_files", { query: "needle", is_regex: round % 2 === 0 });
      await call("search_files", { query: "(", is_regex: true });
    }
    expect(count()).toBeLessThanOrEqual(before);
  });

  test("finds text and regular expressions in the files of a directory", async () => {
    const { root } = makeWorktree({ "a.txt": "one Needle\ntwo needle\n", "src/b.ts": "needle = 1;\n" });
    const call = toolsIn(root, options);
    const both = "a.txt:1: two needle\nsrc/b.ts:0: needle = 1;";
    expect(String(await call("search_files", { query: "needle" }))).toBe(both);
    expect(withoutNote(await call("search_files", { query: "ne{2}dle", is_regex: true }))).toBe(both);
  });
});

test("search_files without a usable ripgrep gives the answers of the built-in engine", async () => {
  const { root, at } = makeWorktree({ "a.txt": "needle\n", "no-program": "x" });
  expect(String(await toolsIn(root, { ripgrep: at("missing") })("search_files", { query: "needle" }))).toBe(
    "a.txt:0: needle",
  );
  expect(String(await toolsIn(root, { ripgrep: at("no-program") })("search_files", { query: "needle" }))).toBe(
    "a.txt:0: needle",
  );
});

test("search_files ends at its deadline with the matches so far, and says so", async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const deadline = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 10));
  onTestFinished(() => deadline.mockRestore());
  const others = Array.from({ length: 300 }, (_, n) => [`b/${n}.txt`, "hay\n"] as const);
  const endless = `${"a".repeat(60)}!\n`;
  const { root } = makeWorktree({ "a.txt": "needle\n", ...Object.fromEntries(others), "c.txt": endless });
  const found = await toolsIn(root, { ripgrep: false })("search_files", { query: "needle|^(a+)+$", is_regex: true });
  expect(String(found)).toMatch(/^a\.txt:0: needle\n/);
  expect(found).toMatchObject({ success: true, data: { timed_out: true } });
});
