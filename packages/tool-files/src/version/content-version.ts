import { hash } from "node:crypto";

/** Identifies contents by their SHA-256 in base64url. */
export function contentHash(bytes: Uint8Array): string {
  return hash("sha256", bytes, "base64url");
}

/** Longest file that can be edited and has a version, in bytes: 8 MiB. */
export const MAX_EDIT_BYTES: number = 8 * 1024 * 1024;

/** Characters of a version: 60 bits, far more than the files of a worktree can make collide by chance. */
const VERSION_CHARS = 10;

/**
 * A short name of a file's contents: 10 characters, the beginning of the base64url of their SHA-256. The same bytes
 * have the same version, whenever and wherever; time stamps play no part. `undefined` above {@link MAX_EDIT_BYTES}.
 */
export function contentVersion(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_EDIT_BYTES) return undefined;
  return contentHash(bytes).slice(0, VERSION_CHARS);
}

/** Bytes of file contents kept, all worktrees together. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Contents kept, all worktrees together. */
const MAX_COUNT = 1000;

/** Contents by worktree and version, the least recently used first. */
const known = new Map<string, Buffer>();
let kept = 0;

/**
 * Caches the contents a tool read or wrote, so that a later conflict can show the changes since. Evicts the least
 * recently used contents above 32 MiB. Returns the version of the contents, `undefined` if they are too long to have
 * one. The bytes must not be changed afterwards. `version` spares computing it where it is known.
 */
export function rememberVersion(
  worktreePath: string,
  bytes: Buffer,
  version: string | undefined = contentVersion(bytes),
): string | undefined {
  if (version !== undefined) keep(key(worktreePath, version), bytes);
  return version;
}

/** The contents of a version in a worktree, if they are still cached. */
export function recallVersion(worktreePath: string, version: string): Buffer | undefined {
  if (version.length !== VERSION_CHARS) return undefined;
  const name = key(worktreePath, version);
  const bytes = known.get(name);
  if (bytes !== undefined) keep(name, bytes);
  return bytes;
}

/** A version is valid in its worktree only: it must not give access to the contents of another. */
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
