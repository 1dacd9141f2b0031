import { ToolError } from "@dispatch/tools-interface";

/**
 * Errors of a memory as a whole. A refused write is not an error but a `Refusal`.
 *
 * - `memory_url`: this package cannot open the URL.
 * - `memory_options`: an option has a value that is not allowed.
 * - `memory_locked`: another process has had the directory, or tables to be migrated, locked for a minute.
 * - `memory_query`: a filter of a search is not one.
 * - `memory_closed`: the memory was closed.
 * - `memory_version`: the data was written by a newer version of this package, or by one before the first release.
 * - `memory_embedder`: the embedder cannot be used or did not answer.
 * - `memory_history`: an event does not follow from the events before it.
 * - `memory_driver`: the driver that the URL needs is not installed.
 * - `memory_connection`: the server cannot be reached or went away. The message states when it is unknown whether a change
 *   was made.
 * - `memory_storage`: the file cannot be opened, was deleted, moved or replaced while it was open, or the disk failed or is full.
 * - `memory_damaged`: the file is damaged.
 * - `memory_read_only`: the directory can be read only.
 */
export type MemoryErrorCode =
  | "memory_url"
  | "memory_options"
  | "memory_locked"
  | "memory_query"
  | "memory_closed"
  | "memory_version"
  | "memory_history"
  | "memory_driver"
  | "memory_connection"
  | "memory_storage"
  | "memory_damaged"
  | "memory_read_only"
  | "memory_embedder";

/**
 * A memory cannot be opened or used. The message may be shown to a model: it holds no path.
 *
 * @example
 * ```ts
 * try {
 *   await openMemory("./memory");
 * } catch (error) {
 *   if (error instanceof MemoryError && error.code === "memory_locked") console.error("Another process has it open");
 * }
 * ```
 */
export class MemoryError extends ToolError {
  override readonly name: string = "MemoryError";
  declare readonly code: MemoryErrorCode;

  constructor(message: string, code: MemoryErrorCode, cause?: unknown) {
    super(message, { code, cause });
  }
}
