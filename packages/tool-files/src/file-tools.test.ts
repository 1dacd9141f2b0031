import { createToolRegistry } from "@dispatch/tools-interface";
import { expect, expectTypeOf, test } from "vitest";
import { makeWorktree } from "../test/worktree.ts";
import * as api from "./index.ts";

test("the package exports what it promises", () => {
  expect(Object.keys(api).toSorted()).toEqual([
    "BinaryFileError",
    "DEFAULT_PROTECTED_PATHS",
    "FileChangedError",
    "FileExistsError",
    "FileNotFoundError",
    "FilesError",
    "MemoryFileSystem",
    "Sandbox",
    "SandboxError",
    "SandboxFileSystem",
    "WrongKindError",
    "createFileHistory",
    "createFileTools",
    "createUndoTool",
    "fileTools",
    "mountFileSystems",
    "openFileSystem",
    "openSandbox",
    "registerFileTools",
  ]);
});

test("createFileTools() makes the six tools with their fixed names and parameters", () => {
  const tools = api.createFileTools();
  const fixed: Readonly<Record<string, readonly [required: string[], optional: string[]]>> = {
    read_file: [["path"], ["start_line", "end_line"]],
    write_file: [["path", "content"], []],
    edit_file: [["path", "edits"], []],
    create_file: [["path", "content"], []],
    list_files: [[], ["path", "pattern", "recursive"]],
    search_files: [["query"], ["path", "pattern", "is_regex"]],
  };
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(fixed));
  for (const { name, parameters } of tools) {
    const [required = [], optional = []] = fixed[name] ?? [];
    expect(parameters["required"], name).toEqual(required);
    expect(Object.keys(parameters["properties"] as object), name).toEqual(
      expect.arrayContaining([...required, ...optional]),
    );
  }
});

test("fileTools has each tool under its wire name and cannot be changed", async () => {
  expect(Object.values(api.fileTools).map(({ name }) => name)).toEqual(Object.keys(api.fileTools));
  expect(Object.keys(api.fileTools)).toEqual(api.createFileTools().map(({ name }) => name));
  expect(Object.isFrozen(api.fileTools)).toBe(true);
  const { root } = makeWorktree({ "a.txt": "a" });
  const read = await api.fileTools.read_file.call({ path: "a.txt" }, { context: { worktreePath: root } });
  expect(read).toMatchObject({ success: true, data: { content: "a" } });
});

test("createFileTools() says what each tool does to the world", () => {
  const annotations = Object.fromEntries(
    api
      .createFileTools()
      .map(({ name, annotations: { readOnly, destructive, idempotent } }) => [
        name,
        [readOnly, destructive, idempotent],
      ]),
  );
  expect(annotations).toEqual({
    read_file: [true, false, true],
    write_file: [false, true, true],
    edit_file: [false, true, false],
    create_file: [false, false, false],
    list_files: [true, false, true],
    search_files: [true, false, true],
  });
});

test("registerFileTools() returns the registry, typed with the tools and what they need", async () => {
  const { root } = makeWorktree({ "a.txt": "x\n" });
  const registry = api.registerFileTools(createToolRegistry());
  expect(registry.toolNames).toEqual([
    "read_file",
    "write_file",
    "edit_file",
    "create_file",
    "list_files",
    "search_files",
  ]);
  const result = await registry.dispatch("read_file", { path: "a.txt" }, { context: { worktreePath: root } });
  if (!result.success) throw new Error(result.error);
  expectTypeOf(result.data.content).toEqualTypeOf<string>();
  expectTypeOf(result.data.total_lines).toEqualTypeOf<number | null>();
  expect(result.data.content).toBe("x\n");
  // @ts-expect-error -- without a worktree there is nothing to read.
  expect(await registry.dispatch("read_file", { path: "a.txt" }, { context: {} })).toMatchObject({
    success: false,
    code: "missing_context",
  });
});

test("every error of the package is a ToolError with its own code", () => {
  const codes = [
    api.FilesError,
    api.SandboxError,
    api.FileNotFoundError,
    api.FileExistsError,
    api.WrongKindError,
    api.BinaryFileError,
  ].map((Kind) => [new Kind("x").name, new Kind("x").code]);
  expect(codes).toEqual([
    ["FilesError", "files_error"],
    ["SandboxError", "outside_worktree"],
    ["FileNotFoundError", "file_not_found"],
    ["FileExistsError", "file_exists"],
    ["WrongKindError", "wrong_kind"],
    ["BinaryFileError", "binary_file"],
  ]);
});
