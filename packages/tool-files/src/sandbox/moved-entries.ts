import fs from "node:fs";
import { FilesError, SandboxError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import { entriesOf, type DirectoryHandle } from "./directory-handle.ts";

/** Most entries of a directory that is moved: each is looked at. */
const MAX_ENTRIES = 10_000;
/**
 * Looks through a directory that is to be moved, links not followed. Reports each entry by its names below the directory,
 * so that rules for nested paths hold for its old and new place.
 *
 * @throws {SandboxError} For a relative symbolic link that leads out of the directory: it would lead elsewhere afterwards.
 * @throws {FilesError} When it has more than 10,000 entries; code `file_too_large`.
 */
export function movedEntries(
  directory: DirectoryHandle,
  attempt: string,
  found: (names: readonly string[]) => void,
): void {
  let count = 0;
  const walk = (held: DirectoryHandle, names: readonly string[]): void => {
    const entries = entriesOf(held, MAX_ENTRIES - count + 1);
    for (const entry of entries) {
      if (++count > MAX_ENTRIES)
        throw new FilesError(`${attempt}: it holds more than ${MAX_ENTRIES} entries, move parts of it`, {
          code: "file_too_large",
        });
      const below = [...names, entry.name];
      found(below);
      if (entry.isSymbolicLink()) checkLink(fs.readlinkSync(held.at(entry.name)), below, attempt);
      if (!entry.isDirectory()) continue;
      const inner = held.enter(entry.name);
      try {
        walk(inner, below);
      } finally {
        inner.close();
      }
    }
  };
  walk(directory, []);
}

function checkLink(target: string, names: readonly string[], attempt: string): void {
  if (target.startsWith("/")) return;
  let depth = names.length - 1;
  for (const name of target.split("/")) {
    if (name === "..") depth -= 1;
    else if (name !== "" && name !== ".") depth += 1;
    if (depth < 0)
      throw new SandboxError(
        `${attempt}: it holds the symbolic link ${printablePath(names.join("/"))}, which leads out of it and would lead elsewhere afterwards; move files one by one`,
        { code: "protected_path" },
      );
  }
}
