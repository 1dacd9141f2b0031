import { BinaryFileError, FilesError } from "../error/files-error.ts";
import { makeEdit, type EditOutcome, type EditRequest } from "./make-edit.ts";

/** What a thread answers an edit with: errors lose their class on the way. */
export type EditAnswer =
  | { readonly outcome: EditOutcome }
  | { readonly outcome: undefined; readonly code: string; readonly message: string };

/** {@link makeEdit} for a request that was sent to this thread. */
export function answerEdit({ now, expected, ...request }: EditRequest): EditAnswer {
  try {
    const base = expected?.base === undefined ? undefined : asBuffer(expected.base);
    return { outcome: makeEdit({ ...request, now: asBuffer(now), expected: expected && { ...expected, base } }) };
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    return { outcome: undefined, code: error.code, message: error.message };
  }
}

/** The outcome of an edit, or the error, as the thread found it. */
export function outcomeOf(answer: EditAnswer): EditOutcome {
  if (answer.outcome !== undefined) return { ...answer.outcome, bytes: asBuffer(answer.outcome.bytes) };
  const { code, message } = answer;
  throw code === "binary_file" ? new BinaryFileError(message) : new FilesError(message, { code });
}

/** Bytes that came from another thread, where buffers arrive as plain arrays. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
