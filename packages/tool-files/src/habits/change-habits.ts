import { ForeignCall, isFalse } from "./foreign-call.ts";
import { readFilePath } from "./path-habits.ts";

/** Reads a call of `delete_file` in the shape of another tool. */
export function deleteHabits(sent: Readonly<Record<string, unknown>>, own: readonly string[]) {
  const call = new ForeignCall(sent, own);
  readFilePath(call, "delete");
  call.rename(["directory", "dir_path"], "path");
  call.drop(
    ["recursive", "force"],
    isFalse,
    "only files and empty directories are deleted, delete what is inside first",
  );
  return call.translation();
}

/** Reads a call of `move_file` in the shape of another tool. */
export function moveHabits(sent: Readonly<Record<string, unknown>>, own: readonly string[]) {
  const call = new ForeignCall(sent, own);
  call.rename(["destination", "destination_path", "dest", "dst", "to", "new", "target", "target_path"], "new_path");
  call.rename(["source", "source_path", "src", "from", "old_path", "old"], "path");
  readFilePath(call, "rename");
  call.drop(["overwrite", "force"], isFalse, "nothing is replaced, delete what has the new name first");
  return call.translation();
}

/** Reads a call of `apply_patch` in the shape of another tool. */
export function patchHabits(sent: Readonly<Record<string, unknown>>, own: readonly string[]) {
  const call = new ForeignCall(sent, own);
  call.rename(["input", "patch_text", "diff", "content"], "patch");
  const command = call.take("command", "cmd");
  if (command !== undefined) {
    const patch = patchOfCommand(command.value);
    if (patch === undefined || call.has("patch")) call.refuse(command.key, 'send "patch" alone');
    call.set("patch", patch);
    call.note(`${JSON.stringify(command.key)} was taken for "patch"`);
  }
  call.drop(["workdir", "cwd"], isFalse, "paths in a patch are relative to the worktree");
  return call.translation();
}

/** The patch of a command of a shell: `["apply_patch", PATCH]`, or a text. */
function patchOfCommand(value: unknown): unknown {
  if (!Array.isArray(value)) return typeof value === "string" ? value : undefined;
  const [program, patch, ...others] = value as unknown[];
  const known = (program === "apply_patch" || program === "applypatch") && others.length === 0;
  return known && typeof patch === "string" ? patch : undefined;
}
