import { contentVersion } from "./content-version.ts";

/** Bytes of file contents kept, all worktrees together. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Contents kept, all worktrees together. */
const MAX_COUNT = 1000;

/** Contents by worktree and version, those longest not asked for first. */
const known = new Map<string, Buffer>();
let kept = 0;

/**
 * Keeps what was read from or written to a file of a worktree, so that it can be said later what changed since.
 * A cache: contents fall out of it after 32 MiB of others. Gives their version, `undefined` if they are too long.
 * The bytes must not be changed afterwards.
 */
export function rememberVersion(worktreePath: string, bytes: Buffer): string | undefined {
  const version = contentVersion(bytes);
  if (version !== undefined) keep(key(worktreePath, version), bytes);
  return version;
}

/** The contents of that version, if they were in this worktree and are still kept. */
export function recallVersion(worktreePath: string, version: string): Buffer | undefined {
  const name = key(worktreePath, version);
  const bytes = known.get(name);
  if (bytes !== undefined) keep(name, bytes);
  return bytes;
}

/** A version says nothing outside its worktree: it must not be a way to another's contents. */
function key(worktreePath: string, version: string): string {
  return `${version} ${worktreePath}`;
}

function keep(name: string, bytes: Buffer): void {
  drop(name);
  known.set(name, bytes);
  kept += bytes.length;
  for (const oldest of known.keys()) {
    if (kept <= MAX_BYTES && known.size <= MAX_COUNT) break;
    drop(oldest);
  }
}

function drop(name: string): void {
  kept -= known.get(name)?.length ?? 0;
  known.delete(name);
}
