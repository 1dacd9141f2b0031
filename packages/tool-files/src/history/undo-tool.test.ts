import { createToolRegistry } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { makeWorktree } from "../../test/worktree.ts";
import { createFileHistory, createUndoTool, registerFileTools } from "../index.ts";

function start(approve?: () => boolean) {
  const worktree = makeWorktree({ "a.txt": "a", ".vscode/x": "x" });
  const history = createFileHistory();
  const registry = registerFileTools(createToolRegistry(), { history }).register(createUndoTool(history));
  const call = (name: string, params: object) =>
    registry.dispatch(
      { name, arguments: params },
      { context: { worktreePath: worktree.root }, ...(approve && { approve }) },
    );
  return { ...worktree, call };
}

test("undo_file_change takes back what the model wrote, and says what it did", async () => {
  const { call, text } = start();
  await call("write_file", { path: "a.txt", content: "A" });
  await call("create_file", { path: "b.txt", content: "b" });
  expect(String(await call("undo_file_change", { path: "a.txt" }))).toBe("Restored a.txt");
  expect(text("a.txt")).toBe("a");
  expect(await call("undo_file_change", {})).toMatchObject({
    success: true,
    output: "Removed b.txt",
    data: { path: "b.txt", removed: true },
  });
  expect(await call("undo_file_change", {})).toMatchObject({ success: false, code: "nothing_to_undo" });
  expect(await call("undo_file_change", { path: "../root-evil/secret.txt" })).toMatchObject({
    code: "outside_worktree",
  });
});

test("undo_file_change asks for what was asked for when it was written, named or not", async () => {
  let answer = true;
  const { call, text } = start(() => answer);
  expect(await call("write_file", { path: ".vscode/x", content: "X" })).toMatchObject({ success: true });
  answer = false;
  expect(await call("undo_file_change", {})).toMatchObject({ code: "denied" });
  expect(await call("undo_file_change", { path: ".vscode/x" })).toMatchObject({ code: "denied" });
  expect(text(".vscode/x")).toBe("X");
  answer = true;
  expect(await call("undo_file_change", {})).toMatchObject({ success: true, data: { path: ".vscode/x" } });
  expect(text(".vscode/x")).toBe("x");
});

test("undo_file_change holds to the rules it is given when it writes", async () => {
  const { root, text } = makeWorktree({ "a.txt": "a" });
  const history = createFileHistory();
  const registry = registerFileTools(createToolRegistry(), { history }).register(
    createUndoTool(history, { protectedPaths: { "a.txt": "deny" } }),
  );
  const options = { context: { worktreePath: root } };
  await registry.dispatch("write_file", { path: "a.txt", content: "A" }, options);
  expect(await registry.dispatch("undo_file_change", {}, options)).toMatchObject({ code: "protected_path" });
  expect(text("a.txt")).toBe("A");
});
