import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Descriptor of a new file outside every worktree that has no name any more and is gone once closed. For POSIX systems. */
export function openScratchFile(text = ""): number {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const path = join(tmpdir(), `dispatch-${randomUUID()}`);
  const fd = fs.openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    fs.unlinkSync(path);
    fs.writeSync(fd, text);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** All that was written to a scratch file. */
export function readScratchFile(fd: number): string {
  const bytes = Buffer.alloc(fs.fstatSync(fd).size);
  return bytes.toString("utf8", 0, fs.readSync(fd, bytes, 0, bytes.length, 0));
}
