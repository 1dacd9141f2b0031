import { dirname } from "node:path";
import type { Operation } from "./trace-writes.ts";

/** The unit in which a disk writes, wholly or not at all. */
const SECTOR = 512;

interface File {
  /** The contents that a program reads. */
  now: Buffer;
  /** The contents that are on disk for certain. */
  synced: Buffer;
  /** Whether it has this name, and whether it has it on disk for certain. */
  isNamed: boolean;
  isNameSynced: boolean;
}

/**
 * A disk that may lose its power at any moment: what was synced is on it; of what was not, each sector is as written, as
 * before, or zeros, and files that were made or removed may be there or not.
 */
export class Disk {
  readonly #files = new Map<string, File>();

  /** Repeats a program's operation. */
  apply(operation: Operation): void {
    if (operation.kind === "say") return;
    const { path } = operation;
    const file = this.#files.get(path);
    switch (operation.kind) {
      case "create":
        if (file === undefined) {
          const nothing = Buffer.alloc(0);
          this.#files.set(path, { now: nothing, synced: nothing, isNamed: true, isNameSynced: false });
        } else if (!file.isNamed) Object.assign(file, { now: Buffer.alloc(0), isNamed: true });
        return;
      case "remove":
        if (file !== undefined) file.isNamed = false;
        return;
      case "sync":
        if (file !== undefined) file.synced = Buffer.from(file.now);
        for (const [name, other] of this.#files) if (dirname(name) === path) other.isNameSynced = other.isNamed;
        return;
      case "truncate":
        if (file !== undefined) file.now = resized(file.now, operation.length);
        return;
      case "write":
        if (file === undefined) throw new Error("a file was written that was not made");
        if (operation.offset + operation.bytes.length > file.now.length)
          file.now = resized(file.now, operation.offset + operation.bytes.length);
        operation.bytes.copy(file.now, operation.offset);
    }
  }

  /** The possible contents of the disk after a power cut, by path. */
  cut(random: () => number): ReadonlyMap<string, Buffer> {
    const kept = new Map<string, Buffer>();
    for (const [path, { now, synced, isNamed, isNameSynced }] of this.#files) {
      const isThere = isNamed === isNameSynced ? isNamed : random() < 0.5;
      if (isThere && !path.endsWith("-shm")) kept.set(path, isNamed ? afterCut(now, synced, random) : synced);
    }
    return kept;
  }
}

/** Sectors either one by one, or all up to one of them, for tails are what is lost most. */
function afterCut(now: Buffer, synced: Buffer, random: () => number): Buffer {
  const sectors = Math.ceil(Math.max(now.length, synced.length) / SECTOR);
  const last = random() < 0.5 ? Math.floor(random() * (sectors + 1)) : undefined;
  const bytes = resized(synced, random() < 0.5 ? now.length : Math.floor(between(synced.length, now.length, random())));
  for (let at = 0; at < sectors; at++) {
    const [from, to] = [at * SECTOR, Math.min((at + 1) * SECTOR, bytes.length)];
    const written = now.subarray(from, to);
    if (from >= to || written.equals(synced.subarray(from, to))) continue;
    const isTaken = last === undefined ? random() < 0.5 : at < last;
    if (isTaken) written.copy(bytes, from);
    else if (random() < 0.2 && from >= synced.length) bytes.fill(0, from, to);
  }
  return bytes;
}

function between(a: number, b: number, part: number): number {
  return a + (b - a) * part;
}

function resized(bytes: Buffer, length: number): Buffer {
  const other = Buffer.alloc(length);
  bytes.copy(other, 0, 0, length);
  return other;
}
