import fs from "node:fs";

/** The same bytes, not copied. Buffers arrive as plain arrays from another thread. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Bytes to read from any place, more of them than memory holds. */
export interface ByteSource {
  /** Bytes from `position`, fewer than `length` only at the end. The next call may overwrite them. */
  view(position: number, length: number): Buffer;
  /** The same bytes, which stay. */
  copy(position: number, length: number): Buffer;
}

export function fileSource(fd: number): ByteSource {
  let shared = Buffer.alloc(0);
  return {
    view(position, length) {
      if (shared.length < length) shared = Buffer.allocUnsafeSlow(length);
      return fill(fd, shared.subarray(0, length), position);
    },
    copy: (position, length) => fill(fd, Buffer.allocUnsafeSlow(length), position),
  };
}

/** Reads a file from `position` into `buffer` until the buffer is full or the file ends. Returns the part that was read. */
export function fill(fd: number, buffer: Buffer, position: number): Buffer {
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read)
    read = fs.readSync(fd, buffer, length, buffer.length - length, position + length);
  return buffer.subarray(0, length);
}

export function memorySource(bytes: Buffer): ByteSource {
  const view = (position: number, length: number) => bytes.subarray(position, position + length);
  return { view, copy: view };
}
