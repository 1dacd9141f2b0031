import { FilesError } from "../error/files-error.ts";
import { asBuffer } from "../text/bytes.ts";
import { contentVersion } from "./content-version.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** A file that has changed since the version a call was made for. */
export interface ChangedFile {
  readonly path: string;
  /** Its current contents; `undefined` if it is gone. */
  readonly now: Buffer | undefined;
  /** The version the call was made for. */
  readonly ifVersion: string;
  /** The contents of that version; `undefined` if they are not known any more. */
  readonly base: Buffer | undefined;
  /** The encoding of both, if the caller states it: a name that `encodingName` gives. */
  readonly encoding?: string | undefined;
}

/**
 * The error for a call with `if_version` when the file has another version; code `version_conflict`. It shows the
 * changes since, if that version is still cached. `why` explains why the call could not be carried out all the same.
 */
export function versionConflict(attempt: string, file: ChangedFile, why: string): FilesError {
  const { path, now, ifVersion, base, encoding } = file;
  const given = /^[\w-]{1,64}$/.test(ifVersion) ? ifVersion : "the one given";
  if (now === undefined) {
    return new FilesError(`${attempt}: it is no longer version ${given}, there is no such file now${why}`, {
      code: "version_conflict",
    });
  }
  const changes =
    base === undefined
      ? "What changed since is not known; read_file shows it as it is now"
      : `What changed since, line numbers 1-based:\n${unifiedDiff(path, base, now, encoding)}`;
  const version = contentVersion(now);
  return new FilesError(
    `${attempt}: it is no longer version ${given} but ${version ?? "too long to have one"}${why}, nothing was changed\n${changes}`,
    { code: "version_conflict" },
  );
}

/** The message of {@link versionConflict} without a reason, for a file that was sent to a thread. */
export function conflictMessage({ attempt, file }: { readonly attempt: string; readonly file: ChangedFile }): string {
  const { now, base } = file;
  return versionConflict(attempt, { ...file, now: now && asBuffer(now), base: base && asBuffer(base) }, "").message;
}
