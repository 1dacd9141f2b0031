import { hash } from "node:crypto";

/** Identifies contents by their SHA-256 in base64url. */
export function contentHash(bytes: Uint8Array): string {
  return hash("sha256", bytes, "base64url");
}
