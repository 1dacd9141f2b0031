import fs from "node:fs";

/** What an open file was at one moment. */
export interface FileIdentity {
  /**
   * Its device, inode and length and the times it was changed, to the nanosecond. Equal ones mean the same contents, as
   * far as the file system tells.
   */
  readonly key: string;
  /** Its length in bytes. */
  readonly size: number;
}

/** What the file is now. */
export function fileIdentity(fd: number): FileIdentity {
  const { dev, ino, size, mtimeNs, ctimeNs } = fs.fstatSync(fd, { bigint: true });
  return { key: `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`, size: Number(size) };
}
