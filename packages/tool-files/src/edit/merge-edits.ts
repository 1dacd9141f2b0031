import { FilesError } from "../error/files-error.ts";
import type { FirstLine } from "../text/line-numbers.ts";
import { versionConflict, type ChangedFile } from "../version/version-conflict.ts";
import { editBytes, type Edit, type EditedBytes } from "./edit-bytes.ts";
import { editsOverlap } from "./edit-overlap.ts";

/**
 * Applies edits that were made for another version of a file: the three-way merge. They apply if each old text is in the
 * file as it is now, once and unchanged but for line ends, if they also apply to that version, and if they touch no line
 * that changed since. A version that is not known cannot be merged with.
 *
 * @throws {FilesError} Code `version_conflict`.
 */
export function mergeEdits(
  attempt: string,
  file: ChangedFile & { readonly now: Buffer },
  edits: readonly Edit[],
  firstLine?: FirstLine,
): EditedBytes {
  const conflict = (why: string) => versionConflict(attempt, file, why);
  const { base, encoding } = file;
  const settings = { encoding, firstLine };
  if (base === undefined) throw conflict(", and that version is not known here, so the edits cannot be merged");
  const edited = orConflict(() => editBytes(file.now, edits, attempt, settings), "to the file as it is now", conflict);
  const loose = edited.applied.findIndex(({ tier }) => tier !== "exact" && tier !== "line_ends");
  if (loose !== -1) throw conflict(`, and edits[${loose}].old_text is in it with other white space only`);
  const wanted = orConflict(() => editBytes(base, edits, attempt, settings), "to that version", conflict);
  if (editsOverlap(base, file.now, wanted.bytes)) throw conflict(", and the edits touch lines that changed since");
  return edited;
}

function orConflict<T>(act: () => T, to: string, conflict: (why: string) => FilesError): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    const [reason = ""] = error.message.slice(error.message.indexOf("edits[")).split(/, nothing was changed|\n/);
    throw conflict(`, and the edits do not apply ${to}: ${reason}`);
  }
}
