import { FilesError, SandboxError } from "../error/files-error.ts";
import { quotedPath } from "../error/printable-path.ts";

/** Longest path accepted, in UTF-16 code units: that of Linux, which is in bytes. */
const MAX_PATH = 4096;
const WINDOWS = process.platform === "win32";

/** The segments of a path, `..` among them, without `.` and empty ones. */
export interface PathSegments {
  /** The segments in order; none for the worktree itself. */
  readonly names: readonly string[];
  /** Whether the path ends in a slash or a dot, and so has to be a directory. */
  readonly directory: boolean;
}

/**
 * Splits a path into segments without access to the disk. An absolute path must begin with one of `roots`, and is then
 * relative to it.
 *
 * @throws {SandboxError} For an absolute path anywhere else.
 * @throws {FilesError} For an empty path, a NUL, or more than 4,096 characters.
 */
export function pathSegments(path: string, attempt: string, roots: () => readonly string[]): PathSegments {
  if (path === "") throw invalid(attempt, 'the path is empty, "." is the worktree');
  if (path.includes("\0")) throw invalid(attempt, "the path holds a NUL character, which no name can hold");
  if (!path.isWellFormed()) throw invalid(attempt, "the path holds half a surrogate pair, which no name can hold");
  if (path.length > MAX_PATH)
    throw invalid(attempt, `the path is ${path.length} characters long, allowed are ${MAX_PATH}`);
  const slashed = WINDOWS ? path.replaceAll("\\", "/") : path;
  const relative = isAbsolute(slashed) ? withoutRoot(slashed, attempt, roots()) : slashed;
  const parts = relative.split("/");
  const last = parts.at(-1);
  const names = parts.filter((part) => part !== "" && part !== ".");
  if (WINDOWS && names.some((name) => /[:*?"<>|]|[ .]$/.test(name) && name !== "..")) {
    throw invalid(attempt, "the path holds a character that has a special meaning here");
  }
  return { names, directory: last === "" || last === "." || last === ".." };
}

/** How an error about `path` begins. Does not repeat an absolute path, which may name directories of the host. */
export function attemptOn(verb: string, path: string): string {
  const absolute = isAbsolute(WINDOWS ? path.replaceAll("\\", "/") : path);
  return absolute ? `Cannot ${verb} the absolute path given` : `Cannot ${verb} ${quotedPath(path)}`;
}

function isAbsolute(slashed: string): boolean {
  return slashed.startsWith("/") || (WINDOWS && /^[a-z]:/i.test(slashed));
}

function withoutRoot(slashed: string, attempt: string, roots: readonly string[]): string {
  const fold = (text: string) => (WINDOWS ? text.replaceAll("\\", "/").toLowerCase() : text);
  const single = slashed.replace(/\/{2,}/g, "/");
  for (const root of roots) {
    const prefix = fold(root).replace(/\/+$/, "");
    if (fold(single) === prefix || fold(single).startsWith(`${prefix}/`)) return `.${single.slice(prefix.length)}`;
  }
  throw new SandboxError(`${attempt}: it is outside the worktree, allowed are paths relative to the worktree`);
}

function invalid(attempt: string, found: string): FilesError {
  return new FilesError(`${attempt}: ${found}`, { code: "invalid_path" });
}

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

/** A place in the order of paths. */
export interface PathPlace {
  readonly path: string;
  /** Whether a file of this path comes after the place too. */
  readonly inclusive: boolean;
}

/** Where the order of paths has an entry: a directory stands where its files do. */
export function orderKey(directory: string, name: string, isDirectory: boolean): string {
  return childOf(directory, name) + (isDirectory ? "/" : "");
}

/** Whether the file of a key comes after a place; of a directory, whether it may hold files that do. */
export function comesAfter(key: string, place: PathPlace | undefined): boolean {
  if (place === undefined || key > place.path) return true;
  return key.endsWith("/") ? place.path.startsWith(key) : place.inclusive && key === place.path;
}

/** Characters some file systems ignore when they compare names (the list is Git's, `is_hfs_dotgit`). */
const IGNORED_IN_NAMES = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Nearly all names, in which only the case is folded. */
const PLAIN = /^[\w.-]*[\w-]$/;

/**
 * Folds a name as the most tolerant file system compares it: folds case, removes invisible characters, streams and
 * trailing dots and spaces, and expands Git's short name. Names that fold to the same may still be two files.
 */
export function foldedName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  return foldedCase(name.replace(IGNORED_IN_NAMES, ""))
    .replace(/:.*$/s, "")
    .replace(/[ .]+$/, "")
    .replace(/^git~1$/, ".git");
}

/** A text without the differences of case and composition that file systems ignore. */
export function foldedCase(text: string): string {
  // By way of upper case: characters without a lower case of their own may share an upper one, such as the long s and the s.
  return text.normalize("NFC").toUpperCase().toLowerCase();
}

/**
 * Whether a name is `.git`, or a file system that folds case, ignores invisible characters or has short names and
 * streams takes it for `.git`.
 *
 * `.git` is protected: Git runs commands that its files name, so an agent that writes there runs commands on the host.
 * Writes are refused by {@link refuseGit} and by `DEFAULT_PROTECTED_PATHS`; listing and searching leave it out.
 */
export function isGitDirectory(name: string): boolean {
  // Nearly every name ends here: it begins with none of a dot, a G and a character that may be ignored.
  const first = name.charCodeAt(0);
  if (first !== 0x2e && first !== 0x67 && first !== 0x47 && first < 0x200c) return false;
  return foldedName(name) === ".git";
}
