import { contentHash } from "./content-hash.ts";

/** Longest file that can be edited and has a version, in bytes: 8 MiB. */
export const MAX_EDIT_BYTES: number = 8 * 1024 * 1024;

/** Characters of a version: 60 bits, far more than the files of a worktree can make collide by chance. */
export const VERSION_CHARS = 10;

/**
 * A short name of a file's contents: 10 characters, the beginning of the base64url of their SHA-256. The same bytes
 * have the same version, whenever and wherever; time stamps play no part. `undefined` above {@link MAX_EDIT_BYTES}.
 */
export function contentVersion(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_EDIT_BYTES) return undefined;
  return contentHash(bytes).slice(0, VERSION_CHARS);
}
