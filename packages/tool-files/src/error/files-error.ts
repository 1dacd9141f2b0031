import { ToolError } from "@dispatch/tools-interface";

/** Properties of a {@link FilesError} besides its message. */
export interface FilesErrorOptions {
  /** Stable name of the failure, in snake_case. Default `files_error`. */
  readonly code?: string;
  /** The error behind this one. Never shown to a model. */
  readonly cause?: unknown;
}

/**
 * Base of every error of this package. Its message names no path outside the worktree, nor the worktree's own.
 *
 * Codes of this class alone: of the disk `permission_denied`, `read_only`, `no_space`, `io_error`, `too_many_open_files`; of
 * paths `invalid_path`, `invalid_worktree`; of reading `invalid_range`, `file_too_large`, `invalid_image`, `invalid_notebook`,
 * `unknown_encoding`; of writing `invalid_text`, `not_encodable`, `omitted_text`, `file_changed`, `version_conflict`,
 * `invalid_edit`, `text_not_found`, `text_ambiguous`, `invalid_patch`; of searching `invalid_pattern`, `invalid_query`,
 * `invalid_regex`, `invalid_cursor`, `search_timeout`; of undo `invalid_history`, `history_failed`, `nothing_to_undo`,
 * `changed_since`, `not_kept`; of the host `invalid_option`.
 *
 * @example
 * ```ts
 * try {
 *   createFileHistory().undo(worktreePath);
 * } catch (error) {
 *   if (error instanceof FilesError) console.error(error.code); // nothing_to_undo
 * }
 * ```
 */
export class FilesError extends ToolError {
  override readonly name: string = "FilesError";

  constructor(message: string, options: FilesErrorOptions = {}) {
    super(message, { code: "files_error", ...options });
  }
}

/**
 * A path leaves the worktree, or its target may not be touched. Code `outside_worktree`, `protected_path`, `unstable_path` or
 * `sandbox_closed`.
 *
 * @example
 * ```ts
 * const sandbox = openSandbox("/home/agent/project");
 * try {
 *   sandbox.openFile("../secrets");
 * } catch (error) {
 *   if (error instanceof SandboxError) console.error(error.code); // outside_worktree
 * }
 * ```
 */
export class SandboxError extends FilesError {
  override readonly name: string = "SandboxError";

  constructor(message: string, options: FilesErrorOptions = {}) {
    super(message, { code: "outside_worktree", ...options });
  }
}

/**
 * There is no file or directory of that name. Code `file_not_found`.
 *
 * @example
 * ```ts
 * const result = await fileTools.read_file.call({ path: "none.txt" }, { context: { worktreePath } });
 * if (!result.success) console.log(result.code); // file_not_found
 * ```
 */
export class FileNotFoundError extends FilesError {
  override readonly name: string = "FileNotFoundError";

  constructor(message: string, options: FilesErrorOptions = {}) {
    super(message, { code: "file_not_found", ...options });
  }
}

/**
 * Something of that name exists already. Code `file_exists`.
 *
 * @example
 * ```ts
 * const result = await fileTools.create_file.call({ path: "a.txt", content: "" }, { context: { worktreePath } });
 * if (!result.success) console.log(result.code); // file_exists
 * ```
 */
export class FileExistsError extends FilesError {
  override readonly name: string = "FileExistsError";

  constructor(message: string, options: FilesErrorOptions = {}) {
    super(message, { code: "file_exists", ...options });
  }
}

/**
 * A file is no longer as a call expected it. Code `file_changed`.
 *
 * @example
 * ```ts
 * async function writeIfSame(path: string, expected: string) {
 *   if ((await etagOf(path)) !== expected) throw new FileChangedError(path);
 * }
 * ```
 */
export class FileChangedError extends FilesError {
  override readonly name: string = "FileChangedError";

  constructor(message: string, options: FilesErrorOptions = {}) {
    super(message, { code: "file_changed", ...options });
  }
}

/**
 * A directory, pipe, socket or device where a regular file is needed, or a file where a directory is. Code `wrong_kind`.
 *
 * @example
 * ```ts
 * const result = await fileTools.read_file.call({ path: "src" }, { context: { worktreePath } });
 * if (!result.success) console.log(result.code); // wrong_kind
 * ```
 */
export class WrongKindError extends FilesError {
  override readonly name: string = "WrongKindError";

  constructor(message: string, options: FilesErrorOptions = {}) {
    super(message, { code: "wrong_kind", ...options });
  }
}

/**
 * The file is no text. Code `binary_file`.
 *
 * @example
 * ```ts
 * const result = await fileTools.read_file.call({ path: "a.out" }, { context: { worktreePath } });
 * if (!result.success) console.log(result.code); // binary_file
 * ```
 */
export class BinaryFileError extends FilesError {
  override readonly name: string = "BinaryFileError";

  constructor(message: string, options: FilesErrorOptions = {}) {
    super(message, { code: "binary_file", ...options });
  }
}

/**
 * The error of a call that failed with `cause` when not all of its changes could be taken back. Other errors than ours name host paths.
 * Its code is never `unstable_path`: a retry would make the changes that stay a second time.
 */
export function partlyDone(cause: unknown, done: "changed" | "undone"): FilesError {
  const [why, code] = cause instanceof FilesError ? [cause.message, cause.code] : ["The call failed", "io_error"];
  return new FilesError(`${why}; some files stay ${done}, because they were changed by something else meanwhile`, {
    code: code === "unstable_path" ? "file_changed" : code,
    cause,
  });
}
