import type { SearchFindings } from "./search-findings.ts";

/** Searches files, one list of them after the other. */
export interface SearchEngine {
  /**
   * Searches files in their order and adds to the findings until they are full.
   *
   * @throws {FilesError} When it refuses the query; code `invalid_regex`.
   */
  search(paths: readonly string[], findings: SearchFindings): Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
}
