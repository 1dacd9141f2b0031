import fs from "node:fs";
import { FileNotFoundError, FilesError, SandboxError, WrongKindError } from "../error/files-error.ts";
import { systemCode } from "../error/system-error.ts";
import { type DirectoryHandle, staleError } from "./directory-handle.ts";
import { pathSegments, type PathSegments } from "./path-segments.ts";

/** Most links followed for one path: Linux's own limit. */
const MAX_LINKS = 40;
/** Most directories entered for one path, so that no chain of `..` makes the walk long. */
const MAX_STEPS = 10_000;
/** Most directories that are made for one path: each may take a millisecond. */
const MAX_MADE = 64;

export interface WalkResult {
  /** The directory that holds the last name. The caller closes it, unless it is the given root. */
  readonly directory: DirectoryHandle;
  /** The last name. It is no symbolic link, unless `keepLastLink`. `undefined`: the path means `directory` itself. */
  readonly name: string | undefined;
  /** Names of `directory` from the worktree down, with every link resolved. */
  readonly parents: readonly string[];
  /** Whether the path can only mean a directory, such as one with a slash at its end. */
  readonly mustBeDirectory: boolean;
  /** Names below `name` that were not walked because `name` does not exist. Only with `allowMissing`. */
  readonly missing?: readonly string[];
}

export interface WalkOptions {
  readonly attempt: string;
  /** Absolute paths under which the worktree is known. */
  readonly roots: () => readonly string[];
  /** The worktree. The walk never closes it. */
  readonly root: DirectoryHandle;
  /** Whether missing directories on the way are made. Default false. */
  readonly makeDirectories?: boolean;
  /** Whether a link as the last name is where the walk ends. Default false: it is followed. */
  readonly keepLastLink?: boolean;
  /** Whether the walk may end where a directory is missing. Default false. */
  readonly allowMissing?: boolean;
  /** Throws if a directory of these names may not be made. Called before one is made. */
  readonly mayWrite?: (names: readonly string[]) => void;
  /** Called with the names of a directory that was made. */
  readonly onMade?: (names: readonly string[]) => void;
}

/**
 * Walks a path from the worktree, one name at a time. This is where a symbolic link (symlink) is followed, or refused when
 * it leads out of the worktree: the walk reads links itself and never lets the system follow one. `..` starts again from
 * the worktree, so the walk never opens a directory above it.
 *
 * @throws {SandboxError} When a `..` or a symbolic link leads out; code `outside_worktree`.
 */
export function walkPath(path: PathSegments, options: WalkOptions): WalkResult {
  const { attempt, root } = options;
  const ahead = path.names.toReversed();
  let { directory: mustBeDirectory } = path;
  let parents: string[] = [];
  let directory = root;
  let links = 0;
  let steps = 0;

  const step = (next: DirectoryHandle) => {
    if (directory !== root) directory.close();
    directory = next;
    if (++steps > MAX_STEPS)
      throw new FilesError(`${attempt}: the path takes too many steps`, { code: "invalid_path" });
  };
  const follow = (target: string) => {
    if (++links > MAX_LINKS)
      throw new FilesError(`${attempt}: too many symbolic links, or a loop of them`, { code: "invalid_path" });
    const inner = pathSegments(target === "" ? "." : target, attempt, options.roots);
    if (target.startsWith("/") || /^[a-z]:/i.test(target)) climb(0);
    if (ahead.length === 0 && inner.directory) mustBeDirectory = true;
    ahead.push(...inner.names.toReversed());
  };
  const climb = (depth: number) => {
    parents = parents.slice(0, depth);
    step(root);
    for (const name of parents) step(directory.enter(name));
  };

  try {
    for (;;) {
      const name = ahead.pop();
      if (name === undefined) return { directory, name, parents, mustBeDirectory };
      if (name === "..") {
        if (parents.length === 0)
          throw new SandboxError(`${attempt}: it leads out of the worktree, allowed are paths inside it`);
        climb(parents.length - 1);
        continue;
      }
      if (ahead.length === 0) {
        const target = options.keepLastLink ? undefined : linkTarget(directory, name);
        if (target === undefined) return { directory, name, parents, mustBeDirectory };
        follow(target);
        continue;
      }
      const entered = enter(directory, name, options, { parents, left: ahead.length });
      if (typeof entered === "string") {
        follow(entered);
      } else if (entered === undefined) {
        if (ahead.includes("..")) throw notFound(attempt);
        return { directory, name, parents, mustBeDirectory, missing: ahead.toReversed() };
      } else {
        step(entered);
        parents = [...parents, name];
      }
    }
  } catch (error) {
    if (directory !== root) directory.close();
    throw error;
  }
}

/** The names of a place from the worktree down, also those that do not exist. */
export function namesOf({ parents, name, missing = [] }: WalkResult): readonly string[] {
  return [...parents, ...(name === undefined ? [] : [name]), ...missing];
}

function notFound(attempt: string, cause?: unknown): FileNotFoundError {
  return new FileNotFoundError(`${attempt}: a directory on the way does not exist, list_files shows what exists`, {
    cause,
  });
}

/** Where a walk is: the names behind it, and how many are ahead. */
interface Way {
  readonly parents: readonly string[];
  readonly left: number;
}

/** The directory `name`, or the target if it is a link, or `undefined` if nothing is there and that is allowed. */
function enter(
  directory: DirectoryHandle,
  name: string,
  options: WalkOptions,
  way: Way,
): DirectoryHandle | string | undefined {
  try {
    return directory.enter(name);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" && options.makeDirectories) return make(directory, name, options, way);
    if (code === "ENOENT" && options.allowMissing) return undefined;
    if (code === "ENOENT") throw notFound(options.attempt, error);
    if (code !== "ENOTDIR" && code !== "ELOOP") throw error;
    const target = linkTarget(directory, name);
    if (target !== undefined) return target;
    throw new WrongKindError(`${options.attempt}: a part of the path is a file, not a directory`, { cause: error });
  }
}

function make(directory: DirectoryHandle, name: string, options: WalkOptions, { parents, left }: Way): DirectoryHandle {
  if (left > MAX_MADE)
    throw new FilesError(`${options.attempt}: ${left} directories on the way are not there, allowed are ${MAX_MADE}`, {
      code: "invalid_path",
    });
  options.mayWrite?.([...parents, name]);
  directory.verify();
  try {
    fs.mkdirSync(directory.at(name));
    options.onMade?.([...parents, name]);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
  try {
    return directory.enter(name);
  } catch (error) {
    throw systemCode(error) === "EACCES" ? error : staleError();
  }
}

/** The target of the link `name`, or `undefined` for anything else, also for nothing. */
function linkTarget(directory: DirectoryHandle, name: string): string | undefined {
  const path = directory.at(name);
  // Looked at first: an error of readlink costs more than all else here.
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
  try {
    const target = fs.readlinkSync(path);
    directory.verify();
    return target;
  } catch (error) {
    const code = systemCode(error);
    // EINVAL: no link. UNKNOWN: the same on Windows.
    if (code === "EINVAL" || code === "ENOENT" || code === "UNKNOWN") return undefined;
    throw error;
  }
}
