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

/** Bytes that came from another thread, where buffers arrive as plain arrays. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
