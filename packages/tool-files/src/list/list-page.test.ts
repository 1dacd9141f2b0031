import fs from "node:fs";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { listPage } from "./list-page.ts";
import type { TreeBudget } from "./list-tree.ts";

type Listed = { files: string[]; total: number; truncated: boolean; cursor?: string; ignored: number };

function numbered(count: number, name: (index: number) => string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), ""]));
}

test("list_files ends an answer before it would be cut, and goes on from there", async () => {
  const { root } = makeWorktree(numbered(1500, (index) => `${"long-".repeat(30)}${index}:`));
  const call = toolsIn(root);
  const found: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined, more = true; more; pages += 1) {
    const result = await call("list_files", { limit: 10_000, ...(cursor !== undefined && { cursor }) });
    const page = dataOf<Listed>(result);
    expect(page.truncated).toBe(page.cursor !== undefined);
    expect(String(result).length).toBeLessThan(100_000);
    if (page.cursor !== undefined) expect(String(result)).toContain(`go on with cursor ${page.cursor}, or narrow`);
    found.push(...page.files);
    cursor = page.cursor;
    more = cursor !== undefined;
  }
  expect(pages).toBe(3);
  expect(found).toEqual(fs.readdirSync(root).toSorted());
});

test("list_files lets timers go on while it applies thousands of rules, and ends when it is cancelled", async () => {
  const rules = Array.from({ length: 4000 }, (_, index) => `x*${index}y\n`).join("");
  const { root } = makeWorktree({ ".gitignore": rules, ...numbered(100, (index) => `d${index % 7}/x${index}y`) });
  const call = toolsIn(root);
  const controller = new AbortController();
  const cancelled = call("list_files", {}, controller.signal);
  for (let turns = 0; turns < 20; turns += 1) await setImmediate();
  controller.abort();
  expect(await cancelled).toMatchObject({ success: false, code: "cancelled" });
  let turns = 0;
  const pending = call("list_files", {});
  const ended = pending.then(() => "ended");
  while ((await Promise.race([ended, setImmediate("turn")])) === "turn") turns += 1;
  expect(turns).toBeGreaterThan(100);
  expect(dataOf<Listed>(await pending)).toMatchObject({ files: [".gitignore"] });
});

test("list_files gives the same answer in a thread", async () => {
  const { root, at, outside } = makeWorktree({ ".gitignore": "*.log\n", ...numbered(2500, (index) => `f${index}`) });
  fs.writeFileSync(at("a.log"), "");
  fs.symlinkSync("f1", at("inside"));
  fs.symlinkSync(outside, at("outside"));
  const call = toolsIn(root);
  const result = await call("list_files", { limit: 3 });
  expect(dataOf(result)).toMatchObject({ files: [".gitignore", "f0", "f1"], total: 2502, ignored: 1, truncated: true });
  expect(String(result)).toContain("[1 symbolic link left out");
  expect(await call("list_files", { path: root, pattern: "f12", sort: "size" })).toMatchObject({ success: true });
  for (const [path, code] of [
    ["../x", "outside_worktree"],
    ["missing", "file_not_found"],
    ["f1", "wrong_kind"],
  ])
    expect(await call("list_files", { path })).toMatchObject({ success: false, code });
});

test("listPage() stops where its budget ends, and says that there is more", async () => {
  const { root } = makeWorktree({ ".gitignore": "a rule\n", ...numbered(300, (index) => `d${index % 5}/f${index}`) });
  const sandbox = openSandbox(root);
  onTestFinished(() => sandbox.close());
  const page = (budget: TreeBudget) =>
    listPage(
      sandbox,
      {
        path: ".",
        pattern: undefined,
        recursive: true,
        includeIgnored: false,
        includeHidden: true,
        attempt: "Cannot list",
        sort: "path",
        limit: 1000,
        place: undefined,
      },
      { ...budget, maxStats: 0 },
    );
  expect(page({})).toMatchObject({ total: { entries: 301, atLeast: false }, incomplete: false });
  for (const budget of [{ maxEntries: 50 }, { timeoutMs: 0 }, { maxDirectoryBytes: 1 }, { maxIgnoreChars: 3 }]) {
    const cut = page(budget);
    // There is more, and either a place to go on from or a note that there is none.
    expect(cut, JSON.stringify(budget)).toMatchObject({
      total: { atLeast: true },
      incomplete: cut?.cursor === undefined,
    });
    expect(cut?.total?.entries, JSON.stringify(budget)).toBeLessThan(301);
  }
});
