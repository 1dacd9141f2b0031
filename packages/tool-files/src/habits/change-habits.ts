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
