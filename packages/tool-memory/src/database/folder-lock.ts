import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryError } from "../text/memory-error.ts";
import { isAlive, thisProcess, workedOf, type ProcessIdentity } from "./process-identity.ts";

/** The right to be the only one with a folder open. */
export interface FolderLock {
  /** Gives the right up. A second call does nothing. */
  release(): void;
}

/** Somebody has the folder, or had it and may have it still. Code `memory_locked`. */
export class FolderHeldError extends MemoryError {
  /** Whether the holder is seen to live. */
  readonly isAlive: boolean;
  /** The processor time that the holder has used, in clock ticks; `null` where that cannot be told. */
  readonly worked: number | null;

  constructor(message: string, alive: boolean, worked: number | null) {
    super(message, "memory_locked");
    this.isAlive = alive;
    this.worked = worked;
  }
}

const RELEASED = "released\n";
const TRIES = 20;

/**
 * Takes a folder for this process, or throws `memory_locked`. Never takes it from a process that lives, nor, unless
 * `takeOver` says so, from one of which that cannot be told.
 *
 * The files `lock.1`, `lock.2`, … count the holders; the highest tells of the last one. Who finds that holder gone
 * creates the next number, which only one can (link(2) fails when the name exists), and only then deletes lower ones.
 * As the highest file is never deleted, nobody who was slow to look can take the place of a holder that came after.
 */
export function lockFolder(
  folder: string,
  { takeOver = false }: { readonly takeOver?: boolean | undefined } = {},
): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let tries = 0; tries < TRIES; tries++) {
    const last = lastNumber(folder);
    if (last > 0 && !isFree(folder, last, takeOver)) continue;
    const mine = join(folder, `lock.${last + 1}`);
    const text = `${JSON.stringify(thisProcess())}\n`;
    if (!publish(folder, mine, text)) continue;
    if (lastNumber(folder) !== last + 1) {
      rmSync(mine, { force: true });
      continue;
    }
    for (const name of readdirSync(folder)) {
      if (isBelow(name, last + 1)) rmSync(join(folder, name), { force: true });
    }
    return { release: once(() => giveUp(folder, mine, text)) };
  }
  throw new MemoryError(
    "Cannot open the memory: other processes keep taking its folder, allowed is one at a time; try again",
    "memory_locked",
  );
}

function lastNumber(folder: string): number {
  return Math.max(0, ...readdirSync(folder).map((name) => Number(/^lock\.(\d{1,15})$/.exec(name)?.[1] ?? 0)));
}

function isBelow(name: string, number: number): boolean {
  const found = /^lock\.(\d{1,15})$/.exec(name)?.[1];
  return found !== undefined && Number(found) < number;
}

/** False when the file went away meanwhile: look again. */
function isFree(folder: string, number: number, takeOver: boolean): boolean {
  const name = `lock.${number}`;
  let text: string;
  try {
    text = readFileSync(join(folder, name), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  if (text === RELEASED) return true;
  const holder = parse(text);
  const state = holder === null ? "unknown" : isAlive(holder);
  if (state === "dead" || (state === "unknown" && takeOver)) return true;
  const who =
    holder === null
      ? "somebody"
      : holder.pid === process.pid && state === "alive"
        ? `this process (${holder.pid})`
        : `process ${holder.pid}`;
  throw new FolderHeldError(
    state === "alive"
      ? `Cannot open the memory: ${who} has it open, allowed is one at a time; close it there first`
      : `Cannot open the memory: ${who} of ${holder?.host ?? "an unknown machine"} had it open and whether that still runs cannot be told from here, allowed is one at a time; when it does not run, open it with takeOver or delete ${name} in the memory's folder`,
    state === "alive",
    state === "alive" && holder !== null ? workedOf(holder.pid) : null,
  );
}

function parse(text: string): ProcessIdentity | null {
  try {
    const found = JSON.parse(text) as Partial<ProcessIdentity> | null;
    return Number.isSafeInteger(found?.pid) && Number(found?.pid) > 0 && typeof found?.host === "string"
      ? (found as ProcessIdentity)
      : null;
  } catch {
    return null;
  }
}

/** Creates the file with its whole text at once; false when it exists. */
function publish(folder: string, file: string, text: string): boolean {
  const draft = join(folder, `draft-${randomUUID()}`);
  try {
    writeFileSync(draft, text, { flag: "wx" });
    try {
      linkSync(draft, file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
      // A file system without hard links: a reader may find the text incomplete and is then told that it cannot tell.
      writeFileSync(file, text, { flag: "wx" });
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Leaves the file alone when it is not this process's any more: then somebody deleted it by hand. */
function giveUp(folder: string, file: string, mine: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8") !== mine) return;
  const draft = join(folder, `draft-${randomUUID()}`);
  writeFileSync(draft, RELEASED, { flag: "wx" });
  renameSync(draft, file);
}

function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    run();
  };
}
