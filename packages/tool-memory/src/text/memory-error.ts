import { ToolError } from "@dispatch/tools-interface";

/**
 * What goes wrong with a memory as a whole, as opposed to a write that is refused.
 *
 * - `memory_url`: the URL names no memory this package can open.
 * - `memory_options`: an option has a value that is not allowed.
 * - `memory_locked`: another process, or this one, has the folder open.
 * - `memory_query`: a query is too long.
 * - `memory_closed`: `close()` was called before.
 * - `memory_version`: the data was written by a newer version of this package.
 * - `memory_embedder`: an embedder cannot be used or did not answer.
 * - `memory_history`: events do not follow from one another.
 * - `memory_driver`: the driver that the URL needs is not installed.
 * - `memory_connection`: the server, or the process that has the folder open, cannot be reached or went away. The message
 *   says when it is not known whether a change was made.
 * - `memory_storage`: the disk did not take what was written.
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
  | "memory_embedder";

/** A memory cannot be opened or used. The message is fit for a model: it holds no path. */
export class MemoryError extends ToolError {
  override readonly name: string = "MemoryError";
  declare readonly code: MemoryErrorCode;

  constructor(message: string, code: MemoryErrorCode, cause?: unknown) {
    super(message, { code, cause });
  }
}
