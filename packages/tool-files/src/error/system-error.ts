import { FileExistsError, FileNotFoundError, FilesError, WrongKindError } from "./files-error.ts";

/** The operating system's name of an error, such as `ENOENT`, or `undefined` for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || error instanceof FilesError) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Errors of the operating system, each as what was found, what to do next and, for the plain class, the code. */
const SYSTEM_ERRORS: Readonly<Record<string, readonly [found: string, code: string | typeof FilesError]>> = {
  ENOENT: ["there is no such file or directory, list_files shows what exists", FileNotFoundError],
  EEXIST: [
    "something of that name exists already, use write_file to replace a file or edit_file to change it",
    FileExistsError,
  ],
  ENOTDIR: ["a part of the path is a file, not a directory", WrongKindError],
  EISDIR: ["it is a directory, list_files shows what is in it", WrongKindError],
  ENOTREG: ["it is a pipe, socket or device, allowed are regular files", WrongKindError],
  EROFS: [
    "the file system is read-only here, nothing was changed; use a path elsewhere, no permission helps",
    "read_only",
  ],
  ...several(["EACCES", "EPERM"], "no permission, ask for it or use another path", "permission_denied"),
  ENAMETOOLONG: ["the name is too long, allowed are 255 bytes a name", "invalid_path"],
  ...several(["ENOSPC", "EDQUOT", "EFBIG"], "there is no space left, nothing was changed", "no_space"),
  ...several(["EMFILE", "ENFILE"], "too many files are open on the host, try again later", "too_many_open_files"),
};

function several(names: readonly string[], found: string, code: string) {
  return Object.fromEntries(names.map((name) => [name, [found, code] as const]));
}

/**
 * The error of this package for an error of the operating system, whose own message holds host paths.
 *
 * `attempt` names the attempted action, such as `Cannot read "a.txt"`. Errors of this package are returned as they are.
 */
export function toFilesError(error: unknown, attempt: string): Error {
  const name = systemCode(error);
  if (name === undefined)
    return error instanceof Error ? error : new FilesError(`${attempt}: it failed`, { cause: error });
  const [found, code] = SYSTEM_ERRORS[name] ?? [`the system answered ${name}`, "io_error"];
  const message = `${attempt}: ${found}`;
  return typeof code === "string"
    ? new FilesError(message, { code, cause: error })
    : new code(message, { cause: error });
}

/** Whether an error says that the host can open no more files just now. It says nothing about the file in question. */
export function isTooManyOpenFiles(error: unknown): boolean {
  const code = error instanceof FilesError ? error.code : systemCode(error);
  return code === "EMFILE" || code === "ENFILE" || code === "too_many_open_files";
}
