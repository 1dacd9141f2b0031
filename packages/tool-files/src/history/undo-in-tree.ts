import { changeInTree, type Reach } from "../file-system/work-in-tree.ts";
import type { MayWrite } from "../sandbox/sandbox-hooks.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { treeNames } from "../sandbox/tree-path.ts";
import type { WorktreeContext } from "../sandbox/worktree-context.ts";
import type { FileChange } from "./file-change.ts";
import type { KeptRecord } from "./journal-record.ts";
import { changeOf, undone } from "./undo-record.ts";

/** The path of a place in another file system, links resolved. */
export async function placeInTree({ fileSystem, worktreePath }: WorktreeContext, path: string): Promise<string> {
  const names = treeNames(path, worktreePath, "undo the last change of").join("/");
  return (await fileSystem?.stat(names))?.path ?? names;
}

/**
 * Undoes changes in another file system, the newest first, and drops their records: all of them or, where one cannot be undone,
 * none. They are undone in a copy by the rules for this disk, and written back if the files are as they were copied.
 */
export async function undoneInTree(
  context: WorktreeContext,
  together: readonly KeptRecord[],
  mayWrite: MayWrite = () => {},
): Promise<readonly FileChange[]> {
  const act = (sandbox: Sandbox) =>
    together.filter(({ record }) => undone(sandbox, record) !== undefined).map(({ record }) => record);
  const gate = { journal: undefined, mayWrite: () => mayWrite };
  const done = await changeInTree(gate, {}, context, together.flatMap(reachesOf), act);
  for (const { kind, entry, path } of done)
    if (kind === "remove" && entry === "directory") await context.fileSystem?.makeDirectory(path);
  for (const kept of together) kept.drop();
  return done.map(changeOf);
}

function reachesOf({ record: { path, from, kind, entry } }: KeptRecord): readonly Reach[] {
  const verb = "undo a change of";
  if (kind !== "move" || from === undefined) return [{ verb, path }];
  const tree = { contents: () => entry !== "directory", recursive: true, leftOut: undefined };
  return [entry === "directory" ? { verb, path, tree } : { verb, path }, { verb, path: from }];
}
