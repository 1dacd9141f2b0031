import { FileExistsError, FileNotFoundError, FilesError, WrongKindError } from "./files-error.ts";

/** The operating system's name of an error, such as `ENOENT`, or `undefined` for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || error instanceof FilesError) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * The error of this package for an error of the operating system, whose own message holds host paths.
 *
 * `attempt` names the attempted action, such as `Cannot read "a.txt"`. Errors of this package are returned as they are.
 */
export function toFilesError(error: unknown, attempt: string): Error {
  const code = systemCode(error);
  if (code === undefined)
    return error instanceof Error ? error : new FilesError(`${attempt}: it failed`, { cause: error });
  const options = { cause: error };
  switch (code) {
    case "ENOENT":
      return new FileNotFoundError(
        `${attempt}: there is no such file or directory, list_files shows what exists`,
        options,
      );
    case "EEXIST":
      return new FileExistsError(
        `${attempt}: something of that name exists already, use write_file to replace a file or edit_file to change it`,
        options,
      );
    case "ENOTDIR":
      return new WrongKindError(`${attempt}: a part of the path is a file, not a directory`, options);
    case "EISDIR":
      return new WrongKindError(`${attempt}: it is a directory, list_files shows what is in it`, options);
    case "ENOTREG":
      return new WrongKindError(`${attempt}: it is a pipe, socket or device, allowed are regular files`, options);
    case "EROFS":
      return new FilesError(
        `${attempt}: the file system is read-only here, nothing was changed; use a path elsewhere, no permission helps`,
        { ...options, code: "read_only" },
      );
    case "EACCES":
    case "EPERM":
      return new FilesError(`${attempt}: no permission, ask for it or use another path`, {
        ...options,
        code: "permission_denied",
      });
    case "ENAMETOOLONG":
      return new FilesError(`${attempt}: the name is too long, allowed are 255 bytes a name`, {
        ...options,
        code: "invalid_path",
      });
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return new FilesError(`${attempt}: there is no space left, nothing was changed`, {
        ...options,
        code: "no_space",
      });
    case "EMFILE":
    case "ENFILE":
      return new FilesError(`${attempt}: too many files are open on the host, try again later`, {
        ...options,
        code: "too_many_open_files",
      });
    default:
      return new FilesError(`${attempt}: the system answered ${code}`, { ...options, code: "io_error" });
  }
}

/** Whether an error says that the host can open no more files just now. It says nothing about the file in question. */
export function isTooManyOpenFiles(error: unknown): boolean {
  const code = error instanceof FilesError ? error.code : systemCode(error);
  return code === "EMFILE" || code === "ENFILE" || code === "too_many_open_files";
}
