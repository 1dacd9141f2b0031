/** One try of an edit: a file, the edit, and what has to come of it. */
export interface Trial {
  /** The file as it is on disk. */
  readonly file: Buffer;
  /** What is to be replaced, as a model sends it. */
  readonly old_text: string;
  /** What is to be put there. */
  readonly new_text: string;
  /** What the file has to hold afterwards; `undefined`: the edit has to be refused. */
  readonly intended: Buffer | undefined;
}
