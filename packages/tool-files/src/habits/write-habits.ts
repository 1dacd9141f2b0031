import type { Translation } from "@dispatch/tools-interface";
import { ForeignCall, isFalse, isTrue, truth } from "./foreign-call.ts";
import { readFilePath } from "./path-habits.ts";

const CONTENTS = ["contents", "text", "file_text", "file_content", "file_contents", "new_content", "body"];

/** Reads a call of `write_file` or `create_file` in the shape of another tool. */
export function writeHabits(
  sent: Readonly<Record<string, unknown>>,
  own: readonly string[],
  replaces: boolean,
): Translation | undefined {
  const call = new ForeignCall(sent, own);
  readFilePath(call, "create");
  call.rename(CONTENTS, "content");
  call.rename(["make_executable"], "executable", truth, '"executable", true or false');
  call.rename(["mode", "permissions"], "executable", executableBy, '"executable", true or false');
  call.drop(["line_count"], () => true, "");
  const [allowed, advice] = replaces
    ? ([isTrue, "use create_file, which replaces nothing"] as const)
    : ([isFalse, "use write_file, which replaces a file"] as const);
  call.drop(["overwrite", "force"], allowed, advice);
  call.drop(
    ["create_directories", "create_dirs", "make_dirs", "create_parents"],
    isTrue,
    "directories are always made",
  );
  call.drop(["encoding"], (value) => /^utf-?8$/i.test(String(value)), "files are written as UTF-8");
  call.drop(["append"], isFalse, "it replaces the whole file, use edit_file to add to one");
  call.forbid(["code_edit", "diff", "patch"], "send the whole text as content, or use edit_file");
  return call.translation();
}

/** Whether a mode such as `755` or `"0644"` lets the owner run the file. */
function executableBy(value: unknown): boolean | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !/^(?:0o?)?[0-7]{3}$/.test(text)) return text === "+x" || undefined;
  return (Number.parseInt(text.slice(-3), 8) & 0o100) !== 0;
}
