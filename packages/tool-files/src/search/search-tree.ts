import { listThreads } from "../list/list-threads.ts";
import { listTree, QUICK_LISTING, type Tree, type TreeRequest } from "../list/list-tree.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { BuiltinEngine } from "./builtin-search.ts";
import { RipgrepEngine } from "./ripgrep/ripgrep-engine.ts";
import { RipgrepOverflowError } from "./ripgrep/ripgrep-process.ts";
import { ripgrepWalk } from "./ripgrep/ripgrep-walk.ts";
import { type FileMatches, type Omission, type SearchedPlace, SearchFindings } from "./search-findings.ts";
import { LAST_LINE, type SearchRequest } from "./search-request.ts";

/** Files searched at first, and most at a time. */
const FIRST_FILES = 64;
const MAX_FILES = 8192;
/** Files for which it is worth to go on in order, when so many seem to fill the answer. */
const WORTHWHILE_FILES = 8192;

/** Fewest files of a quick listing that are searched before a thread lists more. */
const MIN_QUICK_FILES = 32;

/** Milliseconds of a walk, after which the search goes on in order: that ends with a place to go on from. */
const WALK_MS = 15_000;

export interface SearchOutcome {
  readonly engine: "ripgrep" | "javascript";
  readonly files: readonly FileMatches[];
  /** Files that were not searched, or not wholly. */
  readonly omissions: readonly Omission[];
  /** Whether there was any file to search. */
  readonly anyFile: boolean;
  /** Entries that `.gitignore` left out. */
  readonly ignored: number;
  /** Rules of `.gitignore` files that were not applied. */
  readonly rulesLeftOut: number;
  /** Whether there are more matches than an answer holds. */
  readonly full: boolean;
  /** Where it ended when its time was over. */
  readonly endedAt: SearchedPlace | undefined;
  /** Whether there was too much to look at all of it. */
  readonly incomplete: boolean;
}

export interface SearchPlace {
  readonly sandbox: Sandbox;
  readonly worktreePath: string;
  /** The ripgrep to search with. `undefined`: the built-in engine searches. */
  readonly program: string | undefined;
  /** Ends the search with the matches found so far. The request's signal aborts with it. */
  readonly deadline: AbortSignal;
}

/**
 * Searches the files of a request in order of path, a part of them at a time, until the answer is full: later files are
 * not read. If matches are rare, ripgrep walks all of the tree at once instead.
 */
export async function searchTree(request: SearchRequest, place: SearchPlace): Promise<SearchOutcome> {
  const { sandbox, program } = place;
  const engine =
    program === undefined ? new BuiltinEngine(sandbox, request) : new RipgrepEngine(sandbox, request, program);
  const search = new TreeSearch(request, place, engine);
  try {
    await search.run();
  } catch (error) {
    if (!place.deadline.aborted || !search.endAtDeadline()) throw error;
  } finally {
    search.close();
    await engine.close();
  }
  return search.outcome();
}

class TreeSearch {
  readonly #request: SearchRequest;
  readonly #place: SearchPlace;
  readonly #engine: BuiltinEngine | RipgrepEngine;
  readonly #findings: SearchFindings;
  #counts = { anyFile: false, ignored: 0, rulesLeftOut: 0, incomplete: false };
  readonly #closed = new AbortController();
  #endedAt: SearchedPlace | undefined;

  constructor(request: SearchRequest, place: SearchPlace, engine: BuiltinEngine | RipgrepEngine) {
    this.#request = request;
    this.#place = place;
    this.#engine = engine;
    this.#findings = new SearchFindings(request);
  }

  async run(): Promise<void> {
    const { after, mode, limit } = this.#request;
    const named = this.#namedFile();
    if (named !== undefined) return this.#search([named]);
    const inclusive = mode === "lines" && after !== undefined && after.line < LAST_LINE;
    let from = after && { path: after.path, inclusive };
    let looked = 0;
    let ahead: Promise<Tree> | undefined;
    for (let maxFiles = FIRST_FILES; ; maxFiles = Math.min(MAX_FILES, maxFiles * 4)) {
      const listed = await (ahead ?? this.#list({ after: from, maxFiles }, true));
      const { files } = listed;
      this.#count(listed);
      const last = listed.complete ? files.at(-1) : listed.reached;
      const more = looked > 0 && !listed.complete && last !== undefined;
      // While these files are searched the next ones are listed; not at first, when they may not be needed.
      ahead = more ? this.#list({ after: { path: last, inclusive: false }, maxFiles: MAX_FILES }, false) : undefined;
      if (looked === 0 || files.length > 0) await this.#search(files);
      this.#counts.incomplete = last === undefined && listed.stopped;
      if (this.#findings.isFull || listed.complete || last === undefined) return;
      this.#findings.searchedTo(last);
      from = { path: last, inclusive: false };
      looked += files.length;
      const rare = (this.#findings.units / limit) * WORTHWHILE_FILES < looked;
      if (rare && looked === files.length && (await this.#walk(last))) return;
    }
  }

  /**
   * The next files to search, as `list_files` lists them, without links. Unless `quickly`, or where there is much to look at, a thread
   * lists them.
   */
  #list(part: Pick<TreeRequest, "after" | "maxFiles">, quickly: boolean): Promise<Tree> {
    const { sandbox, worktreePath } = this.#place;
    const { workingDirectory, strength } = sandbox;
    const { scope, attempt } = this.#request;
    const request: TreeRequest = { ...scope, ...part, recursive: true, links: false, attempt };
    const signal = AbortSignal.any([this.#request.signal, this.#closed.signal]);
    const list = async () => {
      const quick = quickly ? listTree(sandbox, request, QUICK_LISTING) : undefined;
      if (quick !== undefined && (!quick.stopped || quick.files.length >= MIN_QUICK_FILES)) return quick;
      return listThreads.run("listTree", { worktree: { workingDirectory, worktreePath, strength }, request }, signal);
    };
    const listed = list();
    // It may be awaited later, and is no failure of its own before.
    listed.catch(() => {});
    return listed;
  }

  /** Keeps the matches found in time. False if there are none. */
  endAtDeadline(): boolean {
    this.#findings.dropUnfinished();
    this.#endedAt = this.#findings.searched;
    return this.#endedAt !== undefined;
  }

  outcome(): SearchOutcome {
    const { files, omissions, isFull: full } = this.#findings;
    const engine = this.#place.program === undefined ? "javascript" : "ripgrep";
    return { engine, files, omissions: omissions.list, full, endedAt: this.#endedAt, ...this.#counts };
  }

  close(): void {
    this.#closed.abort();
  }

  async #search(paths: readonly string[]): Promise<void> {
    this.#counts.anyFile ||= paths.length > 0;
    await this.#engine.search(paths, this.#findings);
  }

  #namedFile(): string | undefined {
    const { sandbox } = this.#place;
    const { path } = this.#request.scope;
    if (sandbox.kindOf(path) === "directory") return undefined;
    const file = sandbox.openFile(path);
    file.close();
    return file.path;
  }

  #count(listed: Tree): void {
    this.#counts.ignored += listed.ignored;
    this.#counts.rulesLeftOut += listed.rulesLeftOut;
    this.#leftOut(listed);
  }

  #leftOut({ unreadable, nameless }: Pick<Tree, "unreadable" | "nameless">): void {
    this.#findings.omissions.addAll([
      { reason: "unreadable", count: unreadable.length, paths: unreadable },
      { reason: "name", count: nameless, paths: [] },
    ]);
  }

  /** Searches the files after a path with a walk of ripgrep. False if that is not possible. */
  async #walk(after: string): Promise<boolean> {
    const { sandbox, program } = this.#place;
    // On later pages a walk would repeat the search of earlier pages.
    if (!(this.#engine instanceof RipgrepEngine) || program === undefined || this.#request.after !== undefined)
      return false;
    const limited = { ...this.#request, signal: AbortSignal.any([this.#request.signal, AbortSignal.timeout(WALK_MS)]) };
    try {
      const walked = await ripgrepWalk(sandbox, limited, program);
      if (walked === undefined) return false;
      this.#counts.ignored = walked.ignored;
      const known = this.#findings.omissions.list.find(({ reason }) => reason === "name")?.count ?? 0;
      const nameless = Math.max(0, walked.nameless - known);
      this.#leftOut({ unreadable: walked.unreadable.filter((path) => path > after), nameless });
      const { tooLarge: paths } = walked;
      this.#findings.omissions.addAll([{ reason: "too_large", count: paths.length, paths }]);
      await this.#engine.confirm(
        walked.files.filter((path) => path > after),
        this.#findings,
      );
      return true;
    } catch (error) {
      if (this.#request.signal.aborted) throw error;
      if (limited.signal.aborted || error instanceof RipgrepOverflowError) return false;
      throw error;
    }
  }
}
