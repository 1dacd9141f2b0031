import { randomUUID } from "node:crypto";

/**
 * An id for a new block: a UUID of version 7 (RFC 9562), which begins with the time. New blocks then stand together in each index,
 * and a write touches few pages.
 */
export function newBlockId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice("00000000-0000-0".length)}`;
}
