import { asBuffer } from "../text/as-buffer.ts";
import { versionConflict, type ChangedFile } from "./version-conflict.ts";

/** A conflict to be worded. */
export interface ConflictWork {
  /** How the error begins. */
  readonly attempt: string;
  readonly file: ChangedFile;
}

/** The message of the error for work that was sent to this thread. */
export function answerConflict({ attempt, file }: ConflictWork): string {
  const { now, base } = file;
  return versionConflict(attempt, { ...file, now: now && asBuffer(now), base: base && asBuffer(base) }, "").message;
}
