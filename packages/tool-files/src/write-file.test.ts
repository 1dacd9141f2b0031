import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../test/worktree.ts";

const callTools = fileURLToPath(new URL("../test/call-tools.ts", import.meta.url));

test("write_file writes a whole file, says where and how long", async () => {
  const { root, text } = makeWorktree({ "old.txt": "a much longer text than the new one" });
  const call = toolsIn(root);
  const created = await call("write_file", { path: "deep/er/new.txt", content: "né" });
  expect(String(created)).toBe("Created deep/er/new.txt, 3 bytes");
  expect(dataOf(created)).toEqual({ path: "deep/er/new.txt", bytes: 3, created: true });
  expect(String(await call("write_file", { path: "old.txt", content: "" }))).toBe("Replaced old.txt, 0 bytes");
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

test("write_file is seen whole or not at all, also when its process is killed", async () => {
  const { root, at } = makeWorktree({ "a.txt": "" });
  const texts = ["a", "b"].map((letter) => letter.repeat(60_000));
  fs.writeFileSync(at("a.txt"), texts[0]!);
  const calls = texts.map((content) => ["write_file", { path: "a.txt", content }]);
  const child = spawn(
    process.execPath,
    ["--conditions=@dispatch/source", "--no-warnings", callTools, root, JSON.stringify(calls), "for ever"],
    { stdio: "ignore" },
  );
  const closed = once(child, "close");
  const seen = new Set<string>();
  for (let reads = 0; reads < 2000 || seen.size < 2; reads += 1) {
    const text = fs.readFileSync(at("a.txt"), "utf8");
    expect(texts.includes(text)).toBe(true);
    seen.add(text);
    if (reads % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  child.kill("SIGKILL");
  await closed;
  expect(texts).toContain(fs.readFileSync(at("a.txt"), "utf8"));
});
