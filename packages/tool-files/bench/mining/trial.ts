/** One trial of an edit: a file, the edit, and the required result. */
export interface Trial {
  /** The file as it is on disk. */
  readonly file: Buffer;
  /** The text to replace, as a model sends it. */
  readonly old_text: string;
  /** The replacement. */
  readonly new_text: string;
  /** The required contents of the file afterwards; `undefined`: the edit has to be refused. */
  readonly intended: Buffer | undefined;
}
