import fs from "node:fs";
import type { Sandbox, SandboxFile } from "@dispatch/tool-files";

/** A small file of a sandbox, whole. */
export interface WholeFile {
  /** From the sandbox's directory, links resolved. */
  readonly path: string;
  /** `undefined` when the file is longer than allowed. */
  readonly bytes: Buffer | undefined;
}

/** Reads a file of at most so many bytes. Throws the sandbox's errors. */
export function readWhole(sandbox: Sandbox, path: string, maxBytes: number): WholeFile {
  const file = sandbox.openFile(path);
  try {
    return { path: file.path, bytes: file.size > maxBytes ? undefined : readBytes(file, maxBytes) };
  } finally {
    file.close();
  }
}

/** The file may have grown since it was opened. */
function readBytes({ fd }: SandboxFile, maxBytes: number): Buffer | undefined {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= maxBytes; length += read) {
    read = fs.readSync(fd, buffer, length, buffer.length - length, length);
  }
  return length > maxBytes ? undefined : buffer.subarray(0, length);
}
