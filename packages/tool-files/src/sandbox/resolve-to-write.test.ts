import fs from "node:fs";
import { setImmediate } from "node:timers/promises";
import { createToolRegistry, type ToolResult } from "@dispatch/tools-interface";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeWorktree, SECRET, snapshot, toolsIn } from "../../test/worktree.ts";
import { registerFileTools } from "../index.ts";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxStrength } from "./sandbox-hooks.ts";

const linux = process.platform === "linux";
const strengths: readonly SandboxStrength[] = linux ? ["kernel", "verified"] : ["verified"];
const edit = (path: string) => ({ path, edits: [{ old_text: "old", new_text: "new" }] });

describe.each(strengths)("resolveToWrite() of a %s sandbox", (strength) => {
  function open(files: Readonly<Record<string, string>>) {
    const worktree = makeWorktree(files);
    const asked: string[] = [];
    const mayWrite = (names: readonly string[]) => void asked.push(names.join("/"));
    const sandbox = openSandbox(worktree.root, { strength, mayWrite });
    onTestFinished(() => sandbox.close());
    return {
      ...worktree,
      sandbox,
      asked,
      change: (path: string) => sandbox.changeFile(path, 100, () => Buffer.from("new")),
    };
  }

  test("asks about the same place again when the file is written", () => {
    const { sandbox, asked, change, text } = open({ "a/b.txt": "old" });
    expect(sandbox.resolveToWrite("a/b.txt")).toEqual(["a", "b.txt"]);
    expect(change("a/b.txt")).toEqual({ path: "a/b.txt", created: false });
    expect([asked, text("a/b.txt")]).toEqual([["a/b.txt"], "new"]);
  });

  test("asks about the new place when the name became a link meanwhile", () => {
    const { sandbox, asked, change, text, at } = open({ "a/b.txt": "old", "other.txt": "old" });
    sandbox.resolveToWrite("a/b.txt");
    fs.rmSync(at("a/b.txt"));
    fs.symlinkSync("../other.txt", at("a/b.txt"));
    expect(change("a/b.txt").path).toBe("other.txt");
    expect([asked.at(-1), text("other.txt")]).toEqual(["other.txt", "new"]);
  });

  test("writes nothing outside when the directory became a link meanwhile", () => {
    const { sandbox, change, at, outside } = open({ "a/secret.txt": "old" });
    const before = snapshot(outside);
    sandbox.resolveToWrite("a/secret.txt");
    fs.renameSync(at("a"), at("kept"));
    fs.symlinkSync(outside, at("a"));
    try {
      change("a/secret.txt");
    } catch (error) {
      expect(error).toMatchObject({ code: "outside_worktree" });
    }
    expect(snapshot(outside)).toEqual(before);
  });

  test("is of no use for another path, and holds nothing once the sandbox is closed", () => {
    const { sandbox, asked, change } = open({ "a/b.txt": "old", "c/d.txt": "old" });
    const count = () => (linux ? fs.readdirSync("/proc/self/fd").length : 0);
    const before = count();
    for (const path of ["a/b.txt", "c/d.txt", "c/d.txt", "a/b.txt"]) sandbox.resolveToWrite(path);
    change("c/d.txt");
    expect(asked).toEqual(["c/d.txt"]);
    sandbox.close();
    expect(count()).toBe(before - (strength === "kernel" ? 1 : 0));
  });
});

test("edit_file opens the worktree once", async ({ skip }) => {
  skip(!linux, "needs Linux");
  const { root, text } = makeWorktree({ "a/b.txt": "old" });
  const open = vi.spyOn(fs, "openSync");
  onTestFinished(() => open.mockRestore());
  expect(await toolsIn(root)("edit_file", edit("a/b.txt"))).toMatchObject({ success: true });
  expect(open.mock.calls.filter(([path]) => path === root)).toHaveLength(1);
  expect(text("a/b.txt")).toBe("new");
});

test("a call that is denied, cancelled, held up or asked about keeps nothing open", async ({ skip }) => {
  skip(!linux, "needs Linux");
  const { root, at, text } = makeWorktree({ "a/b.txt": "old", "AGENTS.md": `old ${SECRET}` });
  const count = () => fs.readdirSync("/proc/self/fd").length;
  const registry = registerFileTools(createToolRegistry());
  const call = (path: string, options: object = {}) =>
    registry.dispatch({ name: "edit_file", arguments: edit(path) }, { context: { worktreePath: root }, ...options });
  const before = count();
  expect(await call("AGENTS.md", { approve: () => false })).toMatchObject({ code: "denied" });
  expect(
    await call("AGENTS.md", { approve: () => new Promise(() => {}), signal: AbortSignal.timeout(20) }),
  ).toMatchObject({
    success: false,
  });
  const controller = new AbortController();
  const cancelled = call("a/b.txt", { signal: controller.signal });
  controller.abort();
  await cancelled;
  fs.writeFileSync(at("a/b.txt"), "old");
  const middleware = [async (_: object, next: () => Promise<ToolResult>) => (await setImmediate(), next())];
  const late = registerFileTools(createToolRegistry({ middleware }));
  const held = await late.dispatch(
    { name: "edit_file", arguments: edit("a/b.txt") },
    { context: { worktreePath: root } },
  );
  expect([held.success, text("a/b.txt"), text("AGENTS.md")]).toEqual([true, "new", `old ${SECRET}`]);
  expect(count()).toBe(before);
});
