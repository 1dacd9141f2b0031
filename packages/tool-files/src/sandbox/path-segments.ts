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
