import { statfsSync, type Stats } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import path from "node:path";

/** The process and directory that a watch observes. */
export interface DiskWatchOptions {
  /** The directory it may write. */
  readonly cwd: string | undefined;
  /** Its own temporary directory, unless a wall puts a file system of its own there. */
  readonly directory: string | undefined;
  readonly maxBytes: number;
  readonly onExceeded: () => void;
}

/** The kernel stamps files with a clock that stands still between its ticks, in milliseconds. */
const CLOCK_TICK_MS = 20;
const BLOCK_BYTES = 512;
/**
 * The longest time between two counts, even if free space does not change: others may free as much as a program takes.
 * In milliseconds.
 */
const COUNT_EVERY_MS = 1_000;
/** A count that takes long is made seldom: it may take a twentieth of the time. */
const COUNT_SHARE = 20;
/** The least that a file or directory counts, also an empty one: file systems have a limited number of them. */
const ENTRY_BYTES = 4_096;

/** Files added to a directory. */
interface Added {
  readonly bytes: number;
  /** Whether there are directories that the host cannot look through. */
  readonly isPartial: boolean;
}

/**
 * Watches how much a program adds to the disk without walking its directory at every look: a drop in the file system's
 * free space shows that something may have been added, by anyone. Then, and at regular intervals, it counts the files
 * changed since the start. Deleted files count as long as the program holds them open, wherever they are. If the host
 * cannot look, because a program withdrew the permission or nested directories too deep for a path, all space lost
 * since then counts.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  readonly #startMs = Date.now() - CLOCK_TICK_MS;
  readonly #places: readonly string[];
  readonly #freeAtStart: readonly (FreeSpace | undefined)[];
  #isCounting = false;
  #countAgainAt = performance.now() + COUNT_EVERY_MS;
  #heldOpen = 0;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.#places = [options.cwd, options.directory].filter((place) => place !== undefined);
    this.#freeAtStart = this.#places.map(freeSpace);
  }

  /**
   * Takes microseconds while nothing was added, but for a count now and then.
   *
   * @param heldOpen - Bytes of the files without a name that the program holds open.
   */
  look(heldOpen: number): void {
    const { maxBytes, onExceeded } = this.#options;
    this.#heldOpen = heldOpen;
    if (this.#isCounting) return;
    if (heldOpen > maxBytes) return onExceeded();
    const started = performance.now();
    if (started < this.#countAgainAt && !this.#mayHaveAdded()) return;
    this.#isCounting = true;
    void this.#hasAdded().then((exceeded) => {
      this.#isCounting = false;
      const now = performance.now();
      this.#countAgainAt = now + Math.max(COUNT_EVERY_MS, (now - started) * COUNT_SHARE);
      if (exceeded) onExceeded();
    });
  }

  /** Whether the program, which has ended, left more than it may. `false` at once where a short one added nothing. */
  leftTooMuch(): false | Promise<boolean> {
    this.#heldOpen = 0;
    return (performance.now() >= this.#countAgainAt || this.#mayHaveAdded()) && this.#hasAdded();
  }

  #mayHaveAdded(): boolean {
    return this.#places.some((place, at) => this.#lostBytes(place, at) > this.#options.maxBytes);
  }

  async #hasAdded(): Promise<boolean> {
    const counts = await Promise.all(
      this.#places.map(async (place, at) => {
        const { bytes, isPartial } = await addedTo(place, this.#startMs, this.#options.maxBytes);
        return isPartial ? Math.max(bytes, this.#lostBytes(place, at)) : bytes;
      }),
    );
    return counts.reduce((sum, count) => sum + count, this.#heldOpen) > this.#options.maxBytes;
  }

  #lostBytes(place: string, at: number): number {
    const before = this.#freeAtStart[at];
    const now = freeSpace(place);
    if (before === undefined || now === undefined) return 0;
    return Math.max(0, before.bytes - now.bytes) + Math.max(0, before.entries - now.entries) * ENTRY_BYTES;
  }
}

/** Free space of a file system. */
interface FreeSpace {
  readonly bytes: number;
  /** Files and directories. 0 where the file system sets no number. */
  readonly entries: number;
}

function freeSpace(place: string): FreeSpace | undefined {
  try {
    const { bfree, bsize, ffree } = statfsSync(place);
    return { bytes: bfree * bsize, entries: ffree };
  } catch {
    return undefined;
  }
}

/** Counts everything below a directory that has changed since, until it is more than `enough` bytes. */
async function addedTo(root: string, sinceMs: number, enough: number): Promise<Added> {
  let bytes = 0;
  let isPartial = false;
  const directories = [root];
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    try {
      for await (const entry of await opendir(directory, { bufferSize: 256 })) {
        const place = path.join(directory, entry.name);
        if (entry.isDirectory()) directories.push(place);
        const found = await lstat(place).catch((error) => void (isPartial ||= !isGone(error)));
        if (found !== undefined && found.ctimeMs >= sinceMs) bytes += Math.max(bytesOf(found), ENTRY_BYTES);
        if (bytes > enough) return { bytes, isPartial };
      }
    } catch (error) {
      isPartial ||= !isGone(error);
    }
  }
  return { bytes, isPartial };
}

function isGone(error: unknown): boolean {
  return /^(?:ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code));
}

/** Windows reports no blocks. */
function bytesOf({ blocks, size }: Stats): number {
  return Number.isFinite(blocks) ? blocks * BLOCK_BYTES : size;
}
