import { FilesError } from "../../error/files-error.ts";

/** Throws `invalid_regex` if ripgrep's error output says that it refuses the query. */
export function throwQueryError(errors: string, attempt: string): void {
  const said = errors
    .split("\n")
    .filter((line) => !line.startsWith("rg: -:") && !line.startsWith("rg: <stdin>"))
    .join("\n")
    .replace(/^rg: /, "")
    .trim();
  if (said === "") return;
  const hint = /look-around|backreference/.test(said) ? "; look-around and back-references are not supported" : "";
  const lines = /the literal .*\\n.* is not allowed/s.test(said) ? "; set multiline to search over several lines" : "";
  const short = said.replace(/\n\nConsider enabling[\s\S]*$/, "").slice(0, 600);
  throw new FilesError(`${attempt}: the regular expression is invalid${hint}${lines}\n${short}`, {
    code: "invalid_regex",
  });
}
