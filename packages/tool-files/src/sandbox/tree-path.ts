import { SandboxError } from "../error/files-error.ts";
import { attemptOn, pathSegments } from "./path-segments.ts";

/** The names of a path that a model gave, `..` taken as a step up. An absolute path has to begin with `worktreePath`. */
export function treeNames(path: string, worktreePath: string, verb: string): readonly string[] {
  const attempt = attemptOn(verb, path);
  const names: string[] = [];
  for (const name of pathSegments(path, attempt, () => [worktreePath]).names) {
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined)
      throw new SandboxError(`${attempt}: it leads out of the worktree, allowed are paths inside it`);
  }
  return names;
}

/** The path of the directory that holds a path; `""` for the tree itself. */
export function parentOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** The path of an entry of a directory. */
export function childOf(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}
