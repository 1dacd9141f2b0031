import { BinaryFileError, FilesError } from "../error/files-error.ts";

/** A value that a thread made, or its {@link FilesError}: errors lose their class on the way. */
export type ThreadAnswer<Value> = { readonly value: Value } | { readonly code: string; readonly message: string };

/** The thread's answer for work that returns a value or throws a {@link FilesError}. Throws any other error. */
export function threadAnswer<Value>(work: () => Value): ThreadAnswer<Value> {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** The value of an answer. Throws its error. */
export function answeredValue<Value>(answer: ThreadAnswer<Value>): Value {
  if ("value" in answer) return answer.value;
  const { code, message } = answer;
  throw code === "binary_file" ? new BinaryFileError(message) : new FilesError(message, { code });
}
