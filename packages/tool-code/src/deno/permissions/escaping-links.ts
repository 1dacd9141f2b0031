import type { Dirent } from "node:fs";
import { chmod, lstat, opendir, readlink, realpath, stat } from "node:fs/promises";
import path from "node:path";

/** Links that are listed at most; more are only counted. */
const MAX_LISTED = 20;
const MAX_SHOWN_CHARS = 200;
/** A path that names something and then goes up again. */
const CLIMBS_LATE = /(?:^|[/\\])(?!\.{1,2}(?:[/\\]|$))[^/\\]+[/\\](?:.*[/\\])?\.\.(?:[/\\]|$)/;

/** The links found in a directory. */
export interface EscapingLinks {
  /** Links that lead out of it, or would if they were moved, relative to it, at most 20. */
  readonly links: readonly string[];
  /** How many there are. */
  readonly count: number;
  /** Whether there is more than could be looked at: more entries, or directories too deep for a path. */
  readonly isPartial: boolean;
}

/** Options of {@link findEscapingLinks}. */
export interface LinkScan {
  readonly signal?: AbortSignal | undefined;
  /** Most entries looked at. Default 500,000: some seconds. */
  readonly maxEntries?: number;
}

const MAX_ENTRIES = 500_000;
/** Linux takes no longer path. A program can make one: it renames a directory that is deep into another one that is. */
const MAX_PATH_BYTES = 4_096;
/** Reading, writing and entering, for the owner. */
const OWNER_MODE = 0o700;

/**
 * Finds the symbolic links in a directory that lead out of it, or that a program could make lead out. Deno checks the
 * path a program writes down, not where it ends, so through such a link a program would reach files it was never allowed.
 *
 * A program can make no links, but it can rename them, give them a second name with a hard link, and rename the directories
 * above them: a link to `../../shared` that stays inside where it is leads out of the top of the directory. Such a link
 * counts when there is something outside that it could then reach.
 *
 * A link to nothing counts by where its target would be: writing through it would create that file. A directory of the
 * same user that may not be read is made readable, because a program could do so. One of another user is passed over, because
 * the program cannot read it either.
 *
 * @throws {Error} The reason of `signal`, when it aborts.
 */
export async function findEscapingLinks(
  root: string,
  { signal, maxEntries = MAX_ENTRIES }: LinkScan = {},
): Promise<EscapingLinks> {
  const links: string[] = [];
  let count = 0;
  const add = (file: string, note = ""): void => {
    count += 1;
    if (links.length < MAX_LISTED) links.push(path.relative(root, file).slice(0, MAX_SHOWN_CHARS) + note);
  };
  let isPartial = false;
  const exists = remember(isThere);
  let entries = 0;
  const directories = [root];
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    const opened = await openDirectory(directory);
    if (opened === "too deep") {
      isPartial = true;
      continue;
    }
    if (opened === undefined) add(directory, " (cannot be read)");
    // In batches: a program may make any number of files.
    for await (const entry of opened ?? []) {
      signal?.throwIfAborted();
      entries += 1;
      if (entries > maxEntries) return { links: links.toSorted(), count, isPartial: true };
      const file = path.join(directory, entry.name);
      if (entry.isDirectory()) directories.push(file);
      else if (!entry.isSymbolicLink()) continue;
      else if (Buffer.byteLength(file) >= MAX_PATH_BYTES) isPartial = true;
      else if (!isWithin(root, await targetOf(file))) add(file);
      else if (await couldLeadOut(root, file, exists)) add(file, " (if it were moved)");
    }
  }
  return { links: links.toSorted(), count, isPartial };
}

/**
 * Whether a link would reach something outside if it stood elsewhere in the directory. Assumes the worst: `..` parts
 * climb from the top of the directory, regardless of the parts before them.
 */
async function couldLeadOut(root: string, link: string, exists: (file: string) => Promise<boolean>): Promise<boolean> {
  let target: string;
  try {
    target = await readlink(link);
  } catch {
    return true;
  }
  const parts = target.split(/[/\\]/);
  const rest = parts.slice(parts.lastIndexOf("..") + 1).filter((part) => part !== "" && part !== ".");
  let above = root;
  for (let climbs = parts.filter((part) => part === "..").length; climbs > 0; climbs -= 1) {
    above = path.dirname(above);
    // Where the directory is there, the file could be made, by writing to it through the link.
    if (await exists(path.dirname(path.join(above, ...rest, rest.length === 0 ? "x" : "")))) return true;
  }
  return false;
}

async function isThere(directory: string): Promise<boolean> {
  try {
    await stat(directory);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}

/** Asks once for each directory: the links of one tree have few of them. */
function remember(ask: (directory: string) => Promise<boolean>): (directory: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (directory) => {
    const answer = known.get(directory) ?? ask(directory);
    known.set(directory, answer);
    return answer;
  };
}

/**
 * Reads a directory. If the permissions of the same user's directory forbid it, makes it readable first: a program can
 * close its own directories and open them again. `undefined` on failure.
 */
async function openDirectory(
  directory: string,
): Promise<AsyncIterable<Dirent> | readonly Dirent[] | "too deep" | undefined> {
  const open = (): Promise<AsyncIterable<Dirent>> => opendir(directory, { bufferSize: 256 });
  try {
    return await open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    if (code === "ENAMETOOLONG") return "too deep";
  }
  try {
    const { uid, mode } = await lstat(directory);
    if (process.geteuid === undefined) return undefined;
    if (uid !== process.geteuid()) return [];
    await chmod(directory, mode | OWNER_MODE);
    return await open();
  } catch {
    return undefined;
  }
}

/** The target of a link, `undefined` if it cannot be determined. */
async function targetOf(link: string): Promise<string | undefined> {
  try {
    return await realpath(link);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A circle leads nowhere, and gone is gone.
    if (code === "ELOOP") return link;
    if (code !== "ENOENT") return undefined;
  }
  try {
    const target = await readlink(link);
    // Behind a name that may be a link itself, `..` leads elsewhere than it reads.
    return CLIMBS_LATE.test(target) ? undefined : await futurePath(path.resolve(path.dirname(link), target));
  } catch {
    return undefined;
  }
}

/** Where a path that does not exist would be: its nearest existing directory resolved, the rest as written. */
async function futurePath(file: string): Promise<string> {
  const parent = path.dirname(file);
  if (parent === file) return file;
  try {
    return path.join(await realpath(parent), path.basename(file));
  } catch {
    return path.join(await futurePath(parent), path.basename(file));
  }
}

/** Whether a path is a directory or lies in it. Both must be resolved. */
export function isWithin(root: string, file: string | undefined): boolean {
  if (file === undefined) return false;
  const relative = path.relative(root, file);
  return relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}
