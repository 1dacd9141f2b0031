import { call, turn, type Script } from "../src/scripted/scripted-model.ts";

/**
 * A run for a page that shows every part: a diff, a failure, a program with a call of its own, a note, and a question at
 * the end. It needs a file `a.txt` that holds `one`.
 *
 * @param text The agent's first words.
 */
export function busyRun(text: string): Script {
  return function* () {
    const edits = [{ old_text: "one", new_text: "uno" }];
    yield turn(
      text,
      call("edit_file", { path: "a.txt", edits }),
      call("read_file", { path: "../b" }),
      call("execute_code", { code: 'console.log("hi");\nreturn await read_file({ path: "a.txt" });' }),
      call("memory_write", { label: "notes", content: "tea" }),
    );
    yield turn("And ask.", call("memory_write", { label: "rules", content: "Be kind", tier: "core" }));
    return "Done.";
  };
}
