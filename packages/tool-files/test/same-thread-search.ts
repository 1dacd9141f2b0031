import { FileSearch, type FileSearchSettings, type SearchedPaths } from "../src/search/file-search.ts";

/**
 * The work of a `SearchThread` without the thread, for tests of many small searches: starting one takes fifty times as
 * long as such a search.
 */
export class SearchThread {
  readonly #search: FileSearch;

  constructor(settings: FileSearchSettings) {
    this.#search = new FileSearch(structuredClone(settings));
  }

  async search(paths: readonly string[]): Promise<SearchedPaths> {
    return structuredClone(this.#search.searchPaths(paths));
  }

  async end(): Promise<void> {
    this.#search.close();
  }
}
