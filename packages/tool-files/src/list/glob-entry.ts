import type { Dirent, Stats } from "node:fs";
import { toGlobName } from "./glob-name.ts";

/** An entry of a directory as the glob engine is to see it. */
export function renamed(entry: Dirent): Dirent {
  const name = toGlobName(entry.name);
  if (name === entry.name) return entry;
  return entryLike(name, entry.isDirectory() ? "directory" : entry.isFile() ? "file" : "other");
}

/** The part of an entry, and of a file's properties, that the glob engine asks for. */
export function entryLike(name: string, kind: "file" | "directory" | "other"): Dirent & Stats {
  const no = () => false;
  const entry = {
    name,
    isFile: () => kind === "file",
    isDirectory: () => kind === "directory",
    isSymbolicLink: no,
    isFIFO: no,
    isSocket: no,
    isBlockDevice: no,
    isCharacterDevice: no,
  };
  return entry as unknown as Dirent & Stats;
}
