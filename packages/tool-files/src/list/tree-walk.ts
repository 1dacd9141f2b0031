import { PathMatcher } from "./path-matcher.ts";
import type { TreeEntry, TreeReader } from "./tree-reader.ts";
import type { TreeRequest, TreeShare } from "./tree.ts";

/** Levels of directories that every part of a listing reads: the directories below them are divided among the parts. */
const COMMON_LEVELS = 2;

/** The part of a tree to go through. */
export interface TreeWalkRequest extends Pick<TreeRequest, "pattern" | "recursive" | "share"> {
  /** The directory, from the worktree, links resolved. */
  readonly start: string;
  /** Files after this path, which needs not be there any more; with `inclusive` also the file of this path. Default: all. */
  readonly after?: { readonly path: string; readonly inclusive: boolean } | undefined;
  /** Whether other walks come before or after this one, each of which counts the omissions on its own way. Default: no. */
  readonly inParts?: boolean;
}

/** A directory on the way to the one that is read. */
interface Place {
  /** Its path from the worktree with a slash at the end, `""` for the worktree. */
  readonly path: string;
  /** Its entries that are to be listed or entered, in order. */
  readonly entries: readonly TreeEntry[];
  /** How many of them are done. */
  done: number;
}

/**
 * Goes through the files of a tree in code unit order of their paths, and enters no directory that is not needed for
 * them. Files come in runs, one empty run at least for each directory, so that the caller can pause or stop.
 */
export class TreeWalk {
  /** The directories among the entries so far, in no order. Only for a walk that is not `recursive`. */
  readonly directories: string[] = [];
  readonly #reader: TreeReader;
  readonly #request: TreeWalkRequest;
  readonly #matcher: PathMatcher | undefined;
  readonly #root: number;

  constructor(reader: TreeReader, request: TreeWalkRequest) {
    this.#reader = reader;
    this.#request = request;
    this.#matcher = request.pattern === undefined ? undefined : new PathMatcher(request.pattern);
    this.#root = request.start === "" ? 0 : request.start.length + 1;
  }

  /** The files. Directories read when the reader stops are gone through to their ends, without their subdirectories. */
  *runs(): Generator<readonly string[]> {
    const { start } = this.#request;
    const places = [this.#read(start === "" ? "" : `${start}/`)];
    for (let place = places.at(-1); place !== undefined; place = places.at(-1)) {
      const run: string[] = [];
      const directory = this.#advance(place, run);
      yield run;
      if (directory === undefined) places.pop();
      else if (!this.#reader.stopped) places.push(this.#read(directory));
    }
  }

  /** Adds files to `run` until a directory comes, which it returns. */
  #advance(place: Place, run: string[]): string | undefined {
    const { path, entries } = place;
    const { after } = this.#request;
    while (place.done < entries.length) {
      const { name, kind } = entries[place.done]!;
      place.done += 1;
      if (kind === "directory") return `${path}${name}/`;
      const file = path + name;
      if (after === undefined || file > after.path || (after.inclusive && file === after.path)) run.push(file);
    }
    return undefined;
  }

  #read(path: string): Place {
    const { recursive, share } = this.#request;
    const inside = path.slice(this.#root);
    const level = inside.split("/").length;
    const entries = this.#entriesOf(path, level);
    // Of the files that all parts see one part has them.
    const listed = share === undefined || share.index === 0 || level > COMMON_LEVELS;
    const divided = level === COMMON_LEVELS ? share : undefined;
    const wanted = entries.filter(({ name, kind }) =>
      kind === "file"
        ? listed && this.#isWanted(inside, name)
        : isOwn(divided, inside + name) && this.#isEntered(`${path}${name}/`, inside, name),
    );
    if (!recursive)
      for (const { name, kind } of entries)
        if (kind === "directory" && this.#isWanted(inside, `${name}/`)) this.directories.push(path + name);
    return { path, entries: wanted.toSorted(inOrder), done: 0 };
  }

  #entriesOf(path: string, level: number): readonly TreeEntry[] {
    const { after, inParts = false, share } = this.#request;
    const directory = path.slice(0, -1);
    if (share !== undefined && share.index > 0 && level <= COMMON_LEVELS)
      return this.#reader.entriesUncounted(directory);
    // The part before this one has read it, too.
    if (inParts) return this.#reader.entriesOnce(directory, after?.path.startsWith(path) ?? false);
    return this.#reader.entriesOf(directory);
  }

  #isWanted(inside: string, name: string): boolean {
    const matcher = this.#matcher;
    if (this.#request.recursive) return matcher?.matches(inside, name) ?? true;
    return matcher?.matchesFlat(inside, name) ?? true;
  }

  #isEntered(path: string, inside: string, name: string): boolean {
    const { after, recursive } = this.#request;
    if (after !== undefined && path <= after.path && !after.path.startsWith(path)) return false;
    if (!recursive) return this.#matcher?.leadsOn(`${inside}${name}/`) ?? false;
    return this.#matcher?.mayHold(`${inside}${name}/`) ?? true;
  }
}

/** Whether a directory belongs to this part. By its path alone: the parts see the tree at different moments. */
function isOwn(share: TreeShare | undefined, path: string): boolean {
  if (share === undefined) return true;
  let sum = 0;
  for (let at = 0; at < path.length; at += 1) sum = (Math.imul(sum, 31) + path.charCodeAt(at)) >>> 0;
  return sum % share.count === share.index;
}

/** The order of paths: a directory comes where its files do. */
function inOrder(one: TreeEntry, other: TreeEntry): number {
  return sortName(one) < sortName(other) ? -1 : 1;
}

function sortName({ name, kind }: TreeEntry): string {
  return kind === "directory" ? `${name}/` : name;
}
