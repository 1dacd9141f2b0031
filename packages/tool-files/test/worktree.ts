import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createToolRegistry, type ToolResult } from "@dispatch/tools-interface";
import { afterAll, onTestFinished } from "vitest";
import { registerFileTools, type FileSystem, type FileToolName, type FileToolsOptions } from "../src/index.ts";

/** The contents of every outside file: found anywhere in an answer, they prove an escape. */
export const SECRET = "outside-secret-7f3a";

/** A worktree in a directory of its own, with a neighbour it must not reach. Removed after the test. */
export function makeWorktree(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "tool-files-")));
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
  const root = join(home, "root");
  const outside = join(home, "root-evil");
  fs.mkdirSync(root);
  fs.mkdirSync(join(outside, "sub"), { recursive: true });
  fs.writeFileSync(join(outside, "secret.txt"), `${SECRET}\n`);
  fs.writeFileSync(join(outside, "sub", "secret.txt"), `${SECRET}\n`);
  for (const [path, content] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), content);
  }
  return {
    home,
    root,
    outside,
    at: (path: string) => join(root, path),
    read: (path: string) => fs.readFileSync(join(root, path)),
    text: (path: string) => fs.readFileSync(join(root, path), "utf8"),
  };
}

/** Empty files before all others of a directory, so many that a search leaves the rest of them to a walk of ripgrep. */
export function filler(directory = ""): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${directory}!/${index}`, ""]));
}

/**
 * Moves {@link filler} from one worktree of a file's tests to the next: making its files takes longer than most searches.
 * The test before, or the use before in the same test, is without it then.
 */
export function useFiller(): (root: string) => void {
  let home: string | undefined;
  let place = "";
  const moveTo = (next: string): void => {
    if (place !== next) fs.renameSync(place, next);
    place = next;
  };
  afterAll(() => home !== undefined && fs.rmSync(home, { recursive: true }));
  return (root) => {
    if (home === undefined) {
      home = fs.mkdtempSync(join(tmpdir(), "filler-"));
      place = join(home, "!");
      fs.mkdirSync(place);
      for (const file of Object.keys(filler())) fs.writeFileSync(join(home, file), "");
    }
    const spare = join(home, "!");
    moveTo(join(root, "!"));
    onTestFinished(() => moveTo(spare));
  };
}

/** Calls tools of a registry of their own in a worktree. */
export function toolsIn(
  root: string,
  {
    fileSystem,
    ...options
  }: FileToolsOptions & { readonly tools?: readonly FileToolName[]; readonly fileSystem?: FileSystem } = {},
) {
  const registry = registerFileTools(createToolRegistry(), options);
  return (name: string, params: unknown, signal?: AbortSignal): Promise<ToolResult> =>
    registry.dispatch(
      { name, arguments: params },
      { context: { worktreePath: root, fileSystem }, ...(signal !== undefined && { signal }) },
    );
}

/** Every file below a directory with its bytes, links as their targets: to show that nothing changed. */
export function snapshot(directory: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isSymbolicLink()) found[path] = `-> ${fs.readlinkSync(path)}`;
    else if (entry.isFile()) found[path] = fs.readFileSync(path, "latin1");
    else if (entry.isDirectory()) Object.assign(found, { [path]: "/" }, snapshot(path));
  }
  return found;
}

/** The data of a result that has to be a success. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type of the data
export function dataOf<Data>(result: ToolResult): Data {
  if (!result.success) throw new Error(`expected a success: ${result.error}`);
  return result.data as Data;
}

/** The answer of a search, without the note that JavaScript read the expression. */
export function withoutNote(result: ToolResult): string {
  return String(result)
    .replace(/^\[the query was read as a regular expression of JavaScript.*\n?/m, "")
    .trimEnd();
}
