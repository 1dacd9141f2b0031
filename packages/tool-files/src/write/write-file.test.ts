import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { expect, test } from "vitest";
import { childArguments } from "../../test/child-process.ts";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { contentVersion } from "../version/content-version.ts";

test("write_file writes a whole file, says where and how long", async () => {
  const { root, text } = makeWorktree({ "old.txt": "a much longer text than the new one" });
  const call = toolsIn(root);
  const created = await call("write_file", { path: "deep/er/new.txt", content: "né" });
  expect(String(created)).toBe("Created deep/er/new.txt, 3 bytes, version grXDR0k_dr");
  expect(dataOf(created)).toEqual({ path: "deep/er/new.txt", bytes: 3, version: "grXDR0k_dr", created: true });
  expect(String(await call("write_file", { path: "old.txt", content: "" }))).toBe(
    "Replaced old.txt, 0 bytes, version 47DEQpj8HB",
  );
  expect([text("deep/er/new.txt"), text("old.txt")]).toEqual(["né", ""]);
});

test("write_file refuses text that UTF-8 cannot hold, and names of directories", async () => {
  const { root } = makeWorktree({ "dir/x": "" });
  const call = toolsIn(root);
  expect(await call("write_file", { path: "a", content: "\ud800" })).toMatchObject({ code: "invalid_text" });
  for (const path of ["dir", "dir/", "new/", ".", "dir/..", "dir/x/y"])
    expect(await call("write_file", { path, content: "" }), path).toMatchObject({ code: "wrong_kind" });
  expect(fs.readdirSync(root)).toEqual(["dir"]);
});

test("write_file replaces only the version that was given", async () => {
  const { root, at, text } = makeWorktree({ "a.txt": "one\n" });
  const call = toolsIn(root);
  const { version } = dataOf<{ version: string }>(await call("write_file", { path: "a.txt", content: "two\n" }));
  fs.writeFileSync(at("a.txt"), "three\n");
  const conflict = await call("write_file", { path: "a.txt", content: "four\n", if_version: version });
  expect(conflict).toMatchObject({ success: false, code: "version_conflict" });
  expect(String(conflict)).toMatch(
    /Cannot write "a\.txt": it is no longer version [\w-]{10} but [\w-]{10}, nothing was changed\nWhat changed .*\n[^]*-two\n\+three/,
  );
  expect(text("a.txt")).toBe("three\n");
  const now = contentVersion(Buffer.from("three\n"));
  expect(await call("write_file", { path: "a.txt", content: "four\n", if_version: now })).toMatchObject({
    success: true,
  });
  fs.rmSync(at("a.txt"));
  const gone = await call("write_file", { path: "a.txt", content: "five\n", if_version: now });
  expect(gone).toMatchObject({ code: "version_conflict", error: expect.stringContaining("no such file now") });
  expect(fs.readdirSync(root)).toEqual([]);
});

test("write_file is seen whole or not at all, also when its process is killed", async () => {
  const { root, at } = makeWorktree({ "a.txt": "" });
  const texts = ["a", "b"].map((letter) => letter.repeat(60_000));
  fs.writeFileSync(at("a.txt"), texts[0]!);
  const calls = texts.map((content) => ["write_file", { path: "a.txt", content }]);
  const watcher = fs.watch(root);
  const args = childArguments("call-tools", root, JSON.stringify(calls), "for ever");
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  const closed = once(child, "close");
  await Promise.race([once(watcher, "change"), closed]);
  watcher.close();
  const seen = new Set<string>();
  for (let reads = 0; child.exitCode === null && (reads < 2000 || seen.size < 2); reads += 1) {
    const text = fs.readFileSync(at("a.txt"), "utf8");
    expect(texts.includes(text)).toBe(true);
    seen.add(text);
    if (reads % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  child.kill("SIGKILL");
  await closed;
  expect(seen.size).toBe(2);
  expect(texts).toContain(fs.readFileSync(at("a.txt"), "utf8"));
});

test("write_file makes directories on the way, but not any number, and then none", async () => {
  const { root, at, text } = makeWorktree();
  const call = toolsIn(root);
  expect((await call("write_file", { path: `${"d/".repeat(64)}a.txt`, content: "a" })).success).toBe(true);
  expect(text(`${"d/".repeat(64)}a.txt`)).toBe("a");
  const result = await call("write_file", { path: `${"e/".repeat(400)}a.txt`, content: "a" });
  expect(result).toMatchObject({ success: false, code: "invalid_path" });
  expect(String(result)).toContain("400 directories on the way are not there, allowed are 64");
  expect(fs.existsSync(at("e"))).toBe(false);
});
