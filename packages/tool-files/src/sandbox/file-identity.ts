import fs, { type BigIntStats } from "node:fs";

/** The identity of an open file at one moment. */
export interface FileIdentity {
  /**
   * Its device, inode and length and the times it was changed, to the nanosecond. Equal keys mean equal contents, as
   * far as the file system reports changes.
   */
  readonly key: string;
  readonly size: number;
}

/** The identity of an open file now. */
export function fileIdentity(fd: number): FileIdentity {
  const stats = fs.fstatSync(fd, { bigint: true });
  return { key: identityKey(stats), size: Number(stats.size) };
}

/** {@link FileIdentity.key} of a file with these properties. */
function identityKey({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/**
 * The key of one version of a file that is held open. Without its time of change, which links to it set as well: it is the same as
 * long as its bytes are, unless a program writes them in place and sets the time back.
 */
export function versionKey({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}`;
}

/** Whether the owner may run a file as a program. `undefined`: there is none. */
export function isExecutable(stats: BigIntStats | undefined): boolean | undefined {
  return stats && (stats.mode & 0o100n) !== 0n;
}
