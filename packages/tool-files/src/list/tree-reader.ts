import type { Dirent } from "node:fs";
import { isTooManyOpenFiles, systemCode, toFilesError } from "../error/system-error.ts";
import { isGitDirectory } from "../sandbox/git-directory.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { isTemporaryName } from "../sandbox/stale-temporary-files.ts";
import { readGitignore } from "./gitignore-file.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { TrackedFiles } from "./tracked-files.ts";
import { TreeFiles } from "./tree-files.ts";
import type { Tree, TreeRequest } from "./tree.ts";

/** Entries looked at before a listing ends, so that memory is bounded. */
export const MAX_ENTRIES: number = 1_000_000;
/** Entries that are looked at however long that takes, so that a busy machine does not make a small tree a large one. */
const MIN_ENTRIES = 128;
/** Entries of a directory between two looks at the clock. */
const ENTRIES_BETWEEN_LOOKS = 8;
/** The system's codes for a path that leads to no directory, or over a link. */
const NO_DIRECTORY = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ESTALE"]);

/** An entry that is to be listed, or a directory to enter. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: "file" | "directory";
}

/** Reads directories of a tree and hides entries that are not to be listed. */
export class TreeReader {
  readonly #sandbox: Sandbox;
  readonly #request: TreeRequest;
  readonly #files: TreeFiles;
  readonly #tracked: TrackedFiles;
  readonly #rules = new Map<string, IgnoreRules | "ignored">();
  readonly #insideIgnored: boolean;
  readonly #deadline: number;
  #entries = 0;
  #stopped = false;
  #ignored = 0;
  #links = 0;
  readonly #unreadable: string[] = [];
  #nameless = 0;
  #failure: unknown;
  #rulesLeftOut = 0;

  constructor(sandbox: Sandbox, request: TreeRequest, start: string) {
    this.#sandbox = sandbox;
    this.#request = request;
    this.#deadline = performance.now() + (request.budget?.timeoutMs ?? Infinity);
    this.#files = new TreeFiles({ directory: sandbox.workingDirectory, strength: sandbox.strength });
    this.#tracked = new TrackedFiles(sandbox, request.budget);
    this.#insideIgnored = !request.includeIgnored && this.#rulesIn(start) === "ignored";
    if (this.#insideIgnored) {
      this.#rules.clear();
      this.#rules.set(start, this.#withOwn(IgnoreRules.none, start));
    }
    // Another part of the listing counts them.
    if ((request.share?.index ?? 0) > 0) this.#rulesLeftOut = 0;
  }

  /** Lets go of the directories it holds. */
  close(): void {
    this.#files.close();
  }

  /** Counts of omitted entries. Throws when the host could open no more files: then the counts are unknown. */
  counts(): Omit<Tree, "files" | "directories"> {
    if (this.#failure !== undefined) throw toFilesError(this.#failure, this.#request.attempt);
    return {
      ignored: this.#ignored,
      links: this.#links,
      unreadable: this.#unreadable,
      nameless: this.#nameless,
      rulesLeftOut: this.#rulesLeftOut,
      insideIgnored: this.#insideIgnored,
      incomplete: this.#stopped,
    };
  }

  /** The result of {@link TreeReader.entriesOf}, counted unless it was before, or will be when a later page goes on. */
  entriesOnce(path: string, counted: boolean): TreeEntry[] {
    const before = [this.#ignored, this.#links, this.#nameless] as const;
    const entries = this.entriesOf(path);
    if (counted || this.#stopped) [this.#ignored, this.#links, this.#nameless] = before;
    return entries;
  }

  /** The result of {@link TreeReader.entriesOf}, without the omissions that another part of the listing counts. */
  entriesUncounted(path: string): TreeEntry[] {
    const [left, unreadable] = [this.#rulesLeftOut, this.#unreadable.length];
    const before = [this.#ignored, this.#links, this.#nameless] as const;
    const entries = this.entriesOf(path);
    [this.#ignored, this.#links, this.#nameless] = before;
    this.#rulesLeftOut = left;
    this.#unreadable.length = unreadable;
    return entries;
  }

  /** The entries of a directory that are to be listed or entered. None once the listing has {@link TreeReader.stopped}. */
  entriesOf(path: string): TreeEntry[] {
    if (this.#isSpent()) return [];
    try {
      const maxBytes = this.#request.budget?.maxDirectoryBytes;
      this.#stopped ||= maxBytes !== undefined && this.#files.directorySize(path) > maxBytes;
      if (this.#stopped) return [];
      const { entries, nameless } = this.#files.readEntries(path);
      this.#entries += entries.length;
      this.#nameless += nameless;
      return this.#choose(path, entries);
    } catch (error) {
      if (isTooManyOpenFiles(error)) this.#fail(error);
      // An entry that is gone, or is no directory any more, does not count as unreadable.
      else if (!NO_DIRECTORY.has(systemCode(error) ?? "")) this.#unreadable.push(path);
      return [];
    }
  }

  /** Whether the listing ended before it had looked at everything. */
  get stopped(): boolean {
    return this.#stopped;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#stopped = true;
  }

  /** Whether the listing has to stop, which it then does for good. */
  #isSpent(): boolean {
    const { maxEntries = MAX_ENTRIES } = this.#request.budget ?? {};
    const late = this.#entries > MIN_ENTRIES && performance.now() > this.#deadline;
    this.#stopped ||= late || this.#entries >= maxEntries;
    return this.#stopped;
  }

  #choose(directory: string, entries: readonly Dirent[]): TreeEntry[] {
    const known = this.#request.includeIgnored
      ? IgnoreRules.none
      : this.#rulesIn(
          directory,
          entries.some(({ name }) => name === ".gitignore"),
        );
    if (!entries.some(({ name }) => name === ".git")) this.#tracked.holdsNone(directory);
    const prefix = directory === "" ? "" : `${directory}/`;
    const hidden = !this.#request.includeHidden;
    const chosen: TreeEntry[] = [];
    for (const [index, entry] of entries.entries()) {
      // With many rules one entry takes milliseconds.
      if (index % ENTRIES_BETWEEN_LOOKS === 0 && this.#isSpent()) break;
      const { name } = entry;
      if (isGitDirectory(name) || isTemporaryName(name) || (hidden && name.startsWith("."))) continue;
      const path = prefix + name;
      if (isIgnored(known, path, entry.isDirectory()) && !this.#tracked.has(path)) {
        this.#ignored += 1;
      } else if (entry.isFile()) {
        chosen.push({ name, kind: "file" });
      } else if (entry.isDirectory()) {
        chosen.push({ name, kind: "directory" });
      } else if (!entry.isSymbolicLink()) {
        // Pipes, sockets and devices are no files.
      } else if (this.#request.links && this.#sandbox.kindOf(path) === "file") {
        chosen.push({ name, kind: "file" });
      } else {
        this.#links += 1;
      }
    }
    this.#stopped ||= this.#tracked.tooLong && this.#request.budget?.maxIndexBytes !== undefined;
    return chosen;
  }

  /** The rules that apply in a directory, or that it is ignored itself. `own` spares a look when it has no `.gitignore`. */
  #rulesIn(directory: string, own = true): IgnoreRules | "ignored" {
    const known = this.#rules.get(directory);
    if (known !== undefined) return known;
    const parent =
      directory === ""
        ? IgnoreRules.none
        : this.#rulesIn(directory.includes("/") ? directory.slice(0, directory.lastIndexOf("/")) : "");
    const rules =
      parent === "ignored" || parent.ignores(directory, true)
        ? "ignored"
        : own
          ? this.#withOwn(parent, directory)
          : parent;
    this.#rules.set(directory, rules);
    return rules;
  }

  #withOwn(rules: IgnoreRules, directory: string): IgnoreRules {
    const found = readGitignore(this.#sandbox, directory);
    this.#stopped ||= (found?.length ?? 0) > (this.#request.budget?.maxIgnoreChars ?? Infinity);
    const text = this.#stopped ? undefined : found;
    const own = text === undefined ? rules : rules.with(directory, text);
    this.#rulesLeftOut += own.leftOut - rules.leftOut;
    return own;
  }
}

function isIgnored(rules: IgnoreRules | "ignored", path: string, isDirectory: boolean): boolean {
  return rules === "ignored" || rules.ignores(path, isDirectory);
}
