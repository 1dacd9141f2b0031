import fs from "node:fs";
import { SandboxError } from "../error/files-error.ts";
import { removeFile } from "./atomic-write.ts";
import { systemErrorOf } from "./directory-handle.ts";
import { isExecutable } from "./file-identity.ts";
import { assertFree, movable, moveHeld, removeDirectory, type HeldName } from "./move-path.ts";
import { movedEntries } from "./moved-entries.ts";
import { attemptOn } from "./path-segments.ts";
import { readLink, withWholeFile, type WholeFile } from "./read-whole-file.ts";
import type { MayWrite } from "./sandbox-hooks.ts";
import type { CheckChange, Written } from "./sandbox-writes.ts";
import { namesOf, type WalkOptions, type WalkResult } from "./walk-path.ts";
import type { EntryKind, PendingWrite } from "./write-journal.ts";

/** Longest file whose bytes are read before it is moved or removed: 8 MiB, as far as files have a version. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/** The parts of its sandbox that a change of names needs. */
export interface PathAccess {
  /** Walks to a path, acts there and lets go. */
  at<T>(path: string, attempt: string, how: Partial<WalkOptions>, act: (place: WalkResult) => T): T;
  /** Throws if a path may not be written. */
  readonly mayWrite: MayWrite;
  /** Acts, recorded in the journal. */
  journaled(change: Omit<PendingWrite, "worktree">, act: () => void): void;
}

/** Removes a file, an empty directory or a symbolic link itself. See `Sandbox.removePath`. */
export function removePath(access: PathAccess, path: string, check: CheckChange): Written {
  const attempt = attemptOn("delete", path);
  return access.at(path, attempt, { keepLastLink: true }, (place) => {
    const { held, names } = heldName(place, attempt, "deleted");
    access.mayWrite(names, attempt);
    const { directory, name } = held;
    const change = { path: names.join("/"), existed: true, after: undefined, kind: "remove" } as const;
    const link = readLink(directory, name);
    const stats = link?.stats ?? fs.lstatSync(directory.at(name), { bigint: true });
    if (place.mustBeDirectory && !stats.isDirectory()) throw systemErrorOf("ENOTDIR");
    if (stats.isDirectory()) {
      check(undefined, change.path, "directory");
      access.journaled({ ...change, before: undefined, entry: "directory" }, () =>
        removeDirectory(held, stats, attempt),
      );
    } else {
      const remove = ({ bytes, stats: seen }: WholeFile) => {
        const entry = link === undefined ? "file" : "link";
        check(bytes, change.path, entry);
        const executable = isExecutable(seen);
        access.journaled({ ...change, before: bytes, entry, executable }, () => removeFile(directory, name, seen));
      };
      if (link === undefined) withWholeFile(directory, name, MAX_READ_BYTES, remove);
      else remove(link);
    }
    return { path: change.path, created: false };
  });
}

/** Gives a file or directory another name, which has to be free. See `Sandbox.movePath`. */
export function movePath(access: PathAccess, from: string, to: string, check: CheckChange): Written {
  const attempt = attemptOn("move", from);
  const target = access.at(to, attemptOn("move to", to), { allowMissing: true, keepLastLink: true }, namesOf);
  return access.at(from, attempt, { keepLastLink: true }, (place) => {
    const { held: source, names } = heldName(place, attempt, "moved");
    const { directory, name } = source;
    const seen = movable(source, attempt);
    const entry: EntryKind = seen.isDirectory() ? "directory" : "file";
    if (place.mustBeDirectory && entry === "file") throw systemErrorOf("ENOTDIR");
    if (names.every((own, index) => own === target[index]))
      throw new SandboxError(`${attempt}: the new name is the same, or inside it`, { code: "invalid_path" });
    const places = [names, target];
    for (const at of places) access.mayWrite(at, attempt);
    if (entry === "directory") checkEntries(access, source, places, attempt);
    const bytes = entry === "file" ? withWholeFile(directory, name, MAX_READ_BYTES, (file) => file.bytes) : undefined;
    check(bytes, names.join("/"), entry);
    const makes = {
      makeDirectories: true,
      keepLastLink: true,
      mayWrite: (some: readonly string[]) => access.mayWrite(some, attempt),
    };
    return access.at(to, attemptOn("move to", to), makes, (end) => {
      const { held: goal, names: now } = heldName(end, attempt, "moved");
      if (end.mustBeDirectory && entry === "file") throw systemErrorOf("ENOTDIR");
      // The way to it may have changed since it was looked at.
      if (now.join("/") !== target.join("/")) throw systemErrorOf("ESTALE");
      assertFree(goal, attempt);
      const path = now.join("/");
      const change = { path, from: names.join("/"), existed: true, before: undefined, after: bytes, entry };
      access.journaled({ ...change, kind: "move" }, () => moveHeld(source, goal, seen, attempt));
      return { path, created: false };
    });
  });
}

function checkEntries(
  access: PathAccess,
  { directory, name }: HeldName,
  places: readonly (readonly string[])[],
  attempt: string,
): void {
  const held = directory.enter(name);
  try {
    movedEntries(held, attempt, (below) => {
      for (const place of places) access.mayWrite([...place, ...below], attempt);
    });
  } finally {
    held.close();
  }
}

function heldName({ directory, name, parents }: WalkResult, attempt: string, done: string) {
  if (name !== undefined) return { held: { directory, name }, names: [...parents, name] };
  throw new SandboxError(`${attempt}: it is the worktree itself, which cannot be ${done}`, { code: "protected_path" });
}

/** Makes a directory that must not exist yet. See `Sandbox.makeDirectory`. */
export function makeDirectory(access: PathAccess, path: string): void {
  const attempt = attemptOn("make", path);
  const mayWrite = (names: readonly string[]) => access.mayWrite(names, attempt);
  access.at(path, attempt, { makeDirectories: true, keepLastLink: true, mayWrite }, (place) => {
    const { held, names } = heldName(place, attempt, "made");
    mayWrite(names);
    held.directory.verify();
    fs.mkdirSync(held.directory.at(held.name));
  });
}
