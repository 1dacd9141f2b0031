import { close, closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { promisify } from "node:util";

const sync = promisify(fdatasync);
const letGo = promisify(close);

/** Milliseconds: a sync that takes longer is not waited for in this thread again soon. */
const QUICK_MS = 5;
/** So many syncs go by in other threads after one that was not quick. */
const SLOW_SYNCS = 100;

/**
 * Brings the write-ahead log to disk, once for all commits that came meanwhile (group commit, as PostgreSQL's
 * `commit_delay` has it, without the delay).
 *
 * After a sync that failed nobody can tell what is on disk, so from then on everything fails (the lesson of PostgreSQL's
 * `data_sync_retry`).
 */
export class WalSync {
  /** Segments with bytes that may not be on disk, and which of the writes to them was the last. */
  readonly #unsynced = new Map<string, number>();
  #writes = 0;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #open: { readonly segment: string; readonly fd: number } | undefined;
  #failure: Error | undefined;
  #slow = 0;

  /** Says that a segment, by its path, was to be synced. */
  note(segment: string): void {
    this.#unsynced.set(segment, ++this.#writes);
  }

  /**
   * Resolves when all that was noted before is on disk.
   *
   * @param alone whether nobody else has anything to do meanwhile. A quick disk is then waited for in this thread: to
   * hand the wait to another one and back takes longer than the wait.
   */
  async settle(alone = false): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#unsynced.size === 0) return;
    if (this.#running !== undefined) {
      const start = (): Promise<void> => {
        this.#next = undefined;
        return this.#start();
      };
      await (this.#next ??= this.#running.then(start, start));
    } else if (alone && this.#slow-- <= 0) {
      const started = performance.now();
      this.settleNow();
      this.#slow = performance.now() - started > QUICK_MS ? SLOW_SYNCS : 0;
    } else await this.#start();
  }

  /** Returns when all that was noted before is on disk: for what must not be on disk earlier than that. */
  settleNow(): void {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      for (const segment of this.#unsynced.keys()) this.#syncNow(segment);
    } catch (error) {
      throw this.#fail(error);
    }
    this.#unsynced.clear();
  }

  /** Lets go of what {@link settle} keeps open. Everything must be settled. */
  async end(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) await letGo(open.fd);
  }

  #fail(error: unknown): Error {
    return (this.#failure ??= error instanceof Error ? error : new Error(String(error)));
  }

  #syncNow(segment: string): void {
    if (this.#open?.segment === segment) {
      fdatasyncSync(this.#open.fd);
      return;
    }
    unlessGone(() => {
      const fd = openSync(segment, "r+");
      try {
        fdatasyncSync(fd);
      } finally {
        // Another thread may be syncing the one that is kept.
        if (this.#running !== undefined) closeSync(fd);
        else {
          if (this.#open !== undefined) closeSync(this.#open.fd);
          this.#open = { segment, fd };
        }
      }
    });
  }

  #start(): Promise<void> {
    const run = this.#run().catch((error: unknown) => {
      throw this.#fail(error);
    });
    const done = (): void => {
      if (this.#running === run) this.#running = undefined;
    };
    this.#running = run;
    run.then(done, done);
    return run;
  }

  async #run(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    for (const [segment, write] of new Map(this.#unsynced)) {
      if (this.#open?.segment !== segment) {
        await this.end();
        unlessGone(() => {
          this.#open = { segment, fd: openSync(segment, "r+") };
        });
      }
      if (this.#open !== undefined) await sync(this.#open.fd);
      if (this.#unsynced.get(segment) === write) this.#unsynced.delete(segment);
    }
  }
}

/** The database deletes a segment when all it tells of is on disk elsewhere. */
function unlessGone(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
