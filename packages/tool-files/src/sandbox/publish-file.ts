import { createHash } from "node:crypto";
import fs, { type BigIntStats } from "node:fs";
import { systemCode } from "../error/system-error.ts";
import { staleError, type DirectoryHandle } from "./directory-handle.ts";
import { identityKey } from "./file-identity.ts";
import { lacksHardLinks } from "./hard-link-support.ts";

/** After how long a writer that did not publish may be overtaken, in milliseconds. It usually takes a tenth of one. */
const ABANDONED_MS = 2000;
/** Within how long a writer cannot have been overtaken. Shorter, since two clocks are compared. */
const CERTAIN_MS = 1000;

/**
 * Replaces `name` by the finished file `temporary` with a rename, unless `still` throws. Of several processes that replace
 * the same version `old` of a file, one succeeds. The others throw {@link staleError} and may read the file again.
 *
 * Each version has a name in the directory, its slot, which serves as a lock. One process gets the slot by a hard link to its
 * temporary file, calls `still`, and renames the slot to `name`, which releases it in the same step. A slot whose owner was
 * killed or stopped is taken over by a rename onto it. An owner that continues then finds its file gone. So no process waits
 * for ever, and no clock decides which write is lost.
 */
export function publishFile(
  directory: DirectoryHandle,
  temporary: string,
  name: string,
  old: BigIntStats | undefined,
  still: () => void,
): void {
  directory.verify();
  const { ino } = fs.lstatSync(directory.at(temporary), { bigint: true });
  const slot = old === undefined ? undefined : takeSlot(directory, temporary, slotNames(name, old));
  if (slot === undefined) {
    orStale(still);
    fs.renameSync(directory.at(temporary), directory.at(name));
    return;
  }
  const taken = performance.now();
  try {
    directory.verify();
    orStale(still);
    orStale(() => fs.renameSync(directory.at(slot), directory.at(name)));
    if (performance.now() - taken < CERTAIN_MS) return;
    // It may have been another's file that had the name of the version by then.
    if (fs.lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false })?.ino !== ino) throw staleError();
  } catch (error) {
    discard(directory, slot);
    throw error;
  }
}

/** Names of its own for every version of a file, of the form temporary files have. All but the first are seldom needed. */
function* slotNames(name: string, version: BigIntStats): Generator<string> {
  const digest = createHash("sha256")
    .update(`${name}/${identityKey(version)}`)
    .digest("hex");
  for (let from = 0; from + 18 <= digest.length; from += 9) yield `.dispatch-${digest.slice(from, from + 18)}.tmp`;
}

/**
 * Moves the file to the first slot that no directory or other thing has, which is no writer's and may stay for ever: every
 * writer passes over it. `undefined` where there are no hard links, or no such slot.
 */
function takeSlot(directory: DirectoryHandle, temporary: string, slots: Iterable<string>): string | undefined {
  for (const slot of slots) {
    const taken = take(directory, temporary, slot);
    if (taken === "blocked") continue;
    return taken ? slot : undefined;
  }
  return undefined;
}

/** Moves the file to the slot. `false` where there are no hard links. */
function take(directory: DirectoryHandle, temporary: string, slot: string): boolean | "blocked" {
  try {
    fs.linkSync(directory.at(temporary), directory.at(slot));
    fs.unlinkSync(directory.at(temporary));
  } catch (error) {
    if (lacksHardLinks(error)) return false;
    if (systemCode(error) !== "EEXIST") throw error;
    const owned = fs.lstatSync(directory.at(slot), { bigint: true, throwIfNoEntry: false });
    if (owned?.isFile() === false) return "blocked";
    const age = owned === undefined ? 0 : Date.now() - Number(owned.ctimeNs / 1_000_000n);
    if (Math.abs(age) < ABANDONED_MS) throw staleError();
    fs.renameSync(directory.at(temporary), directory.at(slot));
  }
  return true;
}

/** Does something to a file that another process may have taken away. */
function orStale(act: () => void): void {
  try {
    act();
  } catch (error) {
    throw systemCode(error) === "ENOENT" ? staleError() : error;
  }
}

/** Removes a temporary file, if it is still there. Never throws. */
export function discard(directory: DirectoryHandle, name: string): void {
  try {
    directory.verify();
    fs.unlinkSync(directory.at(name));
  } catch {
    // It is gone, was published, or was taken elsewhere with its directory.
  }
}
