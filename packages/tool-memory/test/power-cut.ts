import { cpSync, existsSync, fstatSync, mkdirSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join, relative } from "node:path";

/** The unit in which a disk takes what was written, or does not. */
const SECTOR = 512;

/** What a file held when it was last synced, and which of its sectors were written since. */
interface Tracked {
  /** Sectors as they are on disk for certain, of those written since; `undefined` where the file ended. */
  readonly before: Map<number, Buffer | undefined>;
  /** The length that is on disk for certain. */
  length: number;
}

/**
 * Watches everything this process writes below a directory, by standing in for `node:fs`, and makes pictures of what a disk
 * could hold after a power cut: what was synced is there; of what was not, each sector is there, is as before, or is zeros.
 * Files that were made and not synced may be missing, removed ones may be back. Must be started before what it watches
 * is imported.
 *
 * @param onChange is called before each change and each sync: the moments at which a cut makes a difference.
 */
export function watchDisk(
  directory: string,
  random: () => number,
  onChange: () => void,
): { readonly cut: (target: string) => void } {
  const tracked = new Map<string, Tracked>();
  const removed = new Map<string, Buffer>();
  const paths = new Map<number, string>();
  const isBelow = (path: unknown): path is string => typeof path === "string" && path.startsWith(directory);
  const real = { ...fs };
  const fresh = (length: number): Tracked => ({ before: new Map(), length });

  const touch = (fd: number, from: number, length: number): void => {
    const path = paths.get(fd);
    if (path === undefined) return;
    const file = tracked.get(path) ?? fresh(fstatSync(fd).size);
    tracked.set(path, file);
    for (let at = Math.floor(from / SECTOR); at * SECTOR < from + length; at++) {
      if (file.before.has(at)) continue;
      const sector = Buffer.alloc(SECTOR);
      const read = at * SECTOR >= file.length ? 0 : readSync(fd, sector, 0, SECTOR, at * SECTOR);
      file.before.set(at, read === 0 ? undefined : sector.subarray(0, read));
    }
  };
  const synced = (fd: number): void => {
    const path = paths.get(fd);
    if (path === undefined) return;
    tracked.delete(path);
    for (const name of removed.keys()) if (dirname(name) === path) removed.delete(name);
  };
  const truncated = (path: string | undefined, length: number): void => {
    const file = tracked.get(path ?? "");
    if (file === undefined) return;
    file.length = Math.min(file.length, length);
    for (const at of file.before.keys()) if (at * SECTOR >= length) file.before.delete(at);
  };
  Object.assign(fs, {
    openSync(path: string, flags: string | number, mode?: number) {
      const isNew = isBelow(path) && !existsSync(path);
      const fd = real.openSync(path, flags, mode);
      if (isBelow(path)) paths.set(fd, path);
      if (isNew) tracked.set(path, fresh(-1));
      return fd;
    },
    closeSync(fd: number) {
      paths.delete(fd);
      real.closeSync(fd);
    },
    close(fd: number, call: (error: Error | null) => void) {
      paths.delete(fd);
      real.close(fd, call);
    },
    writeFileSync(path: string, ...rest: [string, object]) {
      const isNew = isBelow(path) && !existsSync(path);
      real.writeFileSync(path, ...rest);
      if (isNew) tracked.set(path, fresh(-1));
    },
    ftruncateSync(fd: number, length: number) {
      truncated(paths.get(fd), length);
      real.ftruncateSync(fd, length);
    },
    truncateSync(path: string, length: number) {
      truncated(path, length);
      real.truncateSync(path, length);
    },
    writeSync(fd: number, buffer: Uint8Array, offset: number, length: number, position: number) {
      if (paths.has(fd)) onChange();
      touch(fd, position, length);
      return real.writeSync(fd, buffer, offset, length, position);
    },
    fsyncSync(fd: number) {
      if (paths.has(fd)) onChange();
      real.fsyncSync(fd);
      synced(fd);
    },
    fdatasyncSync(fd: number) {
      real.fdatasyncSync(fd);
      synced(fd);
    },
    unlinkSync(path: string) {
      if (isBelow(path) && !tracked.has(path)) removed.set(path, readFileSync(path));
      if (isBelow(path)) onChange();
      real.unlinkSync(path);
      tracked.delete(path);
    },
    renameSync(from: string, to: string) {
      if (isBelow(from)) onChange();
      real.renameSync(from, to);
      const file = tracked.get(from);
      tracked.delete(from);
      tracked.delete(to);
      if (file !== undefined) tracked.set(to, file);
      for (const [fd, path] of paths) if (path === from) paths.set(fd, to);
    },
    // What is written while the disk is at it belongs to the next sync.
    fdatasync(fd: number, call: (error: Error | null) => void) {
      const path = paths.get(fd);
      const file = path === undefined ? undefined : tracked.get(path);
      const sectors = [...(file?.before.keys() ?? [])];
      const length = path === undefined ? 0 : fstatSync(fd).size;
      const contents = path === undefined || !existsSync(path) ? undefined : readFileSync(path);
      real.fdatasync(fd, (error) => {
        if (error === null && path !== undefined && tracked.get(path) === file && file !== undefined)
          settle(file, sectors, contents ?? Buffer.alloc(0), length);
        call(error);
      });
    },
  });
  syncBuiltinESMExports();

  const settle = (file: Tracked, sectors: readonly number[], contents: Buffer, length: number): void => {
    file.length = length;
    for (const at of sectors) file.before.set(at, contents.subarray(at * SECTOR, (at + 1) * SECTOR));
  };

  return {
    cut(target) {
      cpSync(directory, target, { recursive: true, filter: (path) => !path.endsWith("/run") });
      const inTarget = (path: string): string => join(target, relative(directory, path));
      for (const [path, file] of tracked) {
        if (!existsSync(inTarget(path))) continue;
        if (file.length < 0 && random() < 0.3) rmSync(inTarget(path));
        else writeFileSync(inTarget(path), afterCut(readFileSync(path), file, random));
      }
      for (const [path, contents] of removed) {
        if (existsSync(inTarget(path)) || random() < 0.5) continue;
        mkdirSync(dirname(inTarget(path)), { recursive: true });
        writeFileSync(inTarget(path), contents);
      }
    },
  };
}

/** Sectors either one by one, or all up to one of them, for tails are what is lost most. */
function afterCut(now: Buffer, { before, length }: Tracked, random: () => number): Buffer {
  const bytes = Buffer.from(now);
  const sectors = [...before.keys()].toSorted((a, b) => a - b);
  const last = sectors[Math.floor(random() * (sectors.length + 1))] ?? Number.POSITIVE_INFINITY;
  const isTail = random() < 0.5;
  let end = bytes.length;
  for (const at of sectors) {
    if (isTail ? at < last : random() < 0.5) continue;
    const was = before.get(at);
    const isLost = was === undefined && at * SECTOR >= Math.max(length, 0);
    if (isLost && random() < 0.5) end = Math.min(end, at * SECTOR);
    if (at * SECTOR >= bytes.length) continue;
    bytes.fill(0, at * SECTOR, Math.min((at + 1) * SECTOR, bytes.length));
    was?.copy(bytes, at * SECTOR);
  }
  return bytes.subarray(0, Math.max(end, length, 0));
}
