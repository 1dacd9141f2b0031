import { SECRET } from "./worktree.ts";

/** Each tool as something that tries to reach a path. */
export const attackTools: Readonly<Record<string, (path: string) => object>> = {
  read_file: (path) => ({ path }),
  write_file: (path) => ({ path, content: "written" }),
  create_file: (path) => ({ path, content: "written" }),
  edit_file: (path) => ({ path, edits: [{ old_text: SECRET, new_text: "edited" }] }),
  list_files: (path) => ({ path }),
  search_files: (path) => ({ path, query: "secret" }),
};

/** The tools that change files. */
export const writingTools: readonly string[] = ["write_file", "create_file", "edit_file"];
