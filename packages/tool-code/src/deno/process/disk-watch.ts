import { statfsSync, type Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";

/** What a watch looks at. */
export interface DiskWatchOptions {
  /** The directory it may write. */
  readonly cwd: string | undefined;
  /** Its own temporary directory, unless a wall puts a file system of its own there. */
  readonly directory: string | undefined;
  /** What it may add, in bytes. */
  readonly maxBytes: number;
  /** Called once it has added more. */
  readonly onExceeded: () => void;
}

/** The kernel stamps files with a clock that stands still between its ticks, in milliseconds. */
const CLOCK_TICK_MS = 20;
const BLOCK_BYTES = 512;

/**
 * Watches what a program adds to the disk, without walking its directory at every look: the free space of the file system
 * shows when something could have been added, by anyone; only then the files that changed since the start are counted.
 * Files that have no name any more count as long as the program holds them open, wherever they are.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  readonly #startMs = Date.now() - CLOCK_TICK_MS;
  readonly #places: readonly string[];
  readonly #freeAtStart: readonly (number | undefined)[];
  #isCounting = false;
  #heldOpen = 0;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.#places = [options.cwd, options.directory].filter((place) => place !== undefined);
    this.#freeAtStart = this.#places.map(freeBytes);
  }

  /**
   * Takes microseconds while nothing was added.
   *
   * @param heldOpen - Bytes of the files without a name that the program holds open.
   */
  look(heldOpen: number): void {
    const { maxBytes, onExceeded } = this.#options;
    this.#heldOpen = heldOpen;
    if (this.#isCounting) return;
    if (heldOpen > maxBytes) return onExceeded();
    if (!this.#mayHaveAdded()) return;
    this.#isCounting = true;
    void this.#hasAdded().then((exceeded) => {
      this.#isCounting = false;
      if (exceeded) onExceeded();
    });
  }

  /** Whether the program, which has ended, left more than it may. `false` at once while nothing was added. */
  leftTooMuch(): false | Promise<boolean> {
    this.#heldOpen = 0;
    return this.#mayHaveAdded() && this.#hasAdded();
  }

  #mayHaveAdded(): boolean {
    return this.#places.some((place, at) => this.#lostBytes(place, at) > this.#options.maxBytes);
  }

  async #hasAdded(): Promise<boolean> {
    const counts = await Promise.all(this.#places.map((place) => bytesChanged(place, this.#startMs)));
    return counts.reduce((sum, count) => sum + count, this.#heldOpen) > this.#options.maxBytes;
  }

  #lostBytes(place: string, at: number): number {
    const before = this.#freeAtStart[at];
    const now = freeBytes(place);
    return before === undefined || now === undefined ? 0 : before - now;
  }
}

function freeBytes(place: string): number | undefined {
  try {
    const { bfree, bsize } = statfsSync(place);
    return bfree * bsize;
  } catch {
    return undefined;
  }
}

/** Bytes on disk of everything below a directory that has changed since. */
async function bytesChanged(directory: string, sinceMs: number): Promise<number> {
  let bytes = 0;
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const place = path.join(directory, entry.name);
    const found = await lstat(place).catch(() => undefined);
    if (found !== undefined && found.ctimeMs >= sinceMs) bytes += bytesOf(found);
    if (entry.isDirectory()) bytes += await bytesChanged(place, sinceMs);
  }
  return bytes;
}

/** Windows does not tell blocks. */
function bytesOf({ blocks, size }: Stats): number {
  return Number.isFinite(blocks) ? blocks * BLOCK_BYTES : size;
}
