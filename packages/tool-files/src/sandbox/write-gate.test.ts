import fs from "node:fs";
import { setImmediate } from "node:timers/promises";
import { createToolRegistry, type ApprovalRequest, type Approver, type ToolResult } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { attackTools, writingTools } from "../../test/attack-tools.ts";
import { makeWorktree, SECRET, snapshot } from "../../test/worktree.ts";
import { registerFileTools, type FileToolsOptions } from "../index.ts";

/** Calls tools as a host that can ask. Returns the questions asked. */
function asking(root: string, approve?: Approver, options: FileToolsOptions = {}) {
  const registry = registerFileTools(createToolRegistry(), options);
  const asked: ApprovalRequest[] = [];
  const ask: Approver = (request) => (asked.push(request), approve?.(request) ?? false);
  const call = (name: string, params: unknown) =>
    registry.dispatch(
      { name, arguments: params },
      { context: { worktreePath: root }, ...(approve && { approve: ask }) },
    );
  return { asked, call };
}

const files = { ".git/config": SECRET, ".vscode/tasks.json": SECRET, "AGENTS.md": SECRET, "plain/a.txt": SECRET };

/** Ways to spell one path, through links of {@link prepare}. */
function spellings(root: string, directory: string, file: string): readonly string[] {
  return [
    `${directory}/${file}`,
    `./${directory}//./${file}`,
    `plain/../${directory}/${file}`,
    `${root}/${directory}/${file}`,
    `plain/up/${directory}/${file}`,
    `directory/${file}`,
    "plain/up/directory-2/" + file,
    "file",
    `${directory.toUpperCase()}/${file}`,
    `${directory}/sub/../${file}`,
    `fresh/../${directory}/${file}`,
  ];
}

function prepare(root: string, at: (path: string) => string, directory: string, file: string): void {
  fs.symlinkSync("..", at("plain/up"));
  fs.symlinkSync(directory, at("directory"));
  fs.symlinkSync("directory", at("directory-2"));
  fs.symlinkSync(`${root}/${directory}/${file}`, at("file"));
  fs.mkdirSync(at(`${directory}/sub`));
}

describe.each(writingTools)("%s", (name) => {
  const params = attackTools[name]!;

  test("writes nothing below .git in any spelling, with no approval", async () => {
    const { root, at } = makeWorktree(files);
    prepare(root, at, ".git", "config");
    const { asked, call } = asking(root, () => true);
    const before = snapshot(root);
    for (const path of [...spellings(root, ".git", "config"), ".git", "sub/.git", ".git/new", "GIT~1/config"]) {
      const result = await call(name, params(path));
      expect(result, path).toMatchObject({
        success: false,
        code: expect.stringMatching(/^(protected_path|file_not_found|file_exists|wrong_kind)$/),
      });
      expect(String(result)).not.toContain(root);
    }
    expect(asked).toEqual([]);
    fs.rmSync(at("fresh"), { recursive: true, force: true });
    fs.rmSync(at("sub"), { recursive: true, force: true });
    expect(snapshot(root)).toEqual(before);
  });

  test("writes what editors obey only after a yes, however it is spelt", async () => {
    const { root, at } = makeWorktree(files);
    const file = name === "create_file" ? "new.json" : "tasks.json";
    prepare(root, at, ".vscode", file);
    const before = snapshot(root);
    for (const path of spellings(root, ".vscode", file)) {
      for (const approve of [undefined, () => false]) {
        const result = await asking(root, approve).call(name, params(path));
        expect(result, path).toMatchObject({
          success: false,
          code: expect.stringMatching(/^(denied|protected_path|file_not_found|file_exists)$/),
        });
      }
    }
    fs.rmSync(at("fresh"), { recursive: true, force: true });
    expect(snapshot(root)).toEqual(before);
    const { asked, call } = asking(root, () => true);
    expect(await call(name, params(`directory/${file}`))).toMatchObject({
      success: true,
      data: { path: `.vscode/${file}` },
    });
    expect(asked).toHaveLength(1);
  });

  test("asks nothing for ordinary files", async () => {
    const { root } = makeWorktree({ ".github/x": SECRET, "package.json": SECRET, ".env": SECRET });
    const { asked, call } = asking(root, () => false);
    for (const path of [".github/x", "package.json", ".env"])
      expect((await call(name, params(name === "create_file" ? `new/${path}` : path))).success, path).toBe(true);
    expect(asked).toEqual([]);
  });

  test("holds a yes for the place it was given for", async () => {
    const { root, at, text } = makeWorktree(files);
    fs.symlinkSync(".vscode", at("link"));
    const file = name === "create_file" ? "new.json" : "tasks.json";
    fs.writeFileSync(at("AGENTS.md"), "");
    fs.mkdirSync(at(".idea"));
    fs.writeFileSync(at(".idea/tasks.json"), SECRET);
    // While the person thinks, the path comes to lead elsewhere.
    const approve = () => {
      fs.rmSync(at("link"));
      fs.symlinkSync(".idea", at("link"));
      return true;
    };
    expect(await asking(root, approve).call(name, params(`link/${file}`))).toMatchObject({
      success: false,
      code: "protected_path",
      error: expect.stringContaining("call again with that path"),
    });
    expect(text(".idea/tasks.json")).toBe(SECRET);
    expect(fs.existsSync(at(".idea/new.json"))).toBe(false);
    // And another call of the same host is not covered by it.
    expect(await asking(root, () => false).call(name, params(".idea/new.json"))).toMatchObject({ code: "denied" });
  });

  test("follows the host's own rules", async () => {
    const { root } = makeWorktree({ "keys/a": SECRET, ".vscode/tasks.json": SECRET, ".git/config": SECRET });
    const options: FileToolsOptions = { protectedPaths: { keys: "deny", ".vscode": "allow", ".git": "ask" } };
    const { asked, call } = asking(root, () => true, options);
    const at = (path: string) => params(name === "create_file" ? `${path}-new` : path);
    expect(await call(name, at("keys/a"))).toMatchObject({ code: "protected_path" });
    expect(await call(name, at(".vscode/tasks.json"))).toMatchObject({ success: true });
    expect(asked).toEqual([]);
    expect(await call(name, at(".git/config"))).toMatchObject({ success: true });
    expect(asked).toHaveLength(1);
  });

  test("leaves what another name of a protected file holds as it is", async () => {
    const { root, at, text } = makeWorktree(files);
    fs.linkSync(at(".git/config"), at("twin"));
    await asking(root).call(name, params("twin"));
    expect(text(".git/config")).toBe(SECRET);
  });
});

test("registerFileTools() refuses rules that are none", () => {
  expect(() => registerFileTools(createToolRegistry(), { protectedPaths: { x: "maybe" as never } })).toThrow(
    'allowed are "allow", "ask" and "deny"',
  );
});

const linux = process.platform === "linux";
const edit = (path: string) => ({ path, edits: [{ old_text: "old", new_text: "new" }] });

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

test("a write is checked where the path leads by then, whatever it led to when it was asked about", async () => {
  for (const [exchange, code] of [
    [({ at }) => (fs.rmSync(at("a/b.txt")), fs.symlinkSync("../AGENTS.md", at("a/b.txt"))), "protected_path"],
    [({ at, outside }) => (fs.renameSync(at("a"), at("kept")), fs.symlinkSync(outside, at("a"))), "outside_worktree"],
  ] as readonly (readonly [(worktree: ReturnType<typeof makeWorktree>) => void, string])[]) {
    const worktree = makeWorktree({ "a/b.txt": "old", "AGENTS.md": "old" });
    const before = snapshot(worktree.outside);
    const middleware = [async (_: object, next: () => Promise<ToolResult>) => (exchange(worktree), next())];
    const registry = registerFileTools(createToolRegistry({ middleware }));
    const written = await registry.dispatch(
      { name: "edit_file", arguments: edit("a/b.txt") },
      { context: { worktreePath: worktree.root } },
    );
    expect(written).toMatchObject({ success: false, code });
    expect([snapshot(worktree.outside), worktree.text("AGENTS.md")]).toEqual([before, "old"]);
  }
});
