import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** Signs a text: HMAC with SHA-256, base64url. */
export function hmacSignature(key: string | Uint8Array, text: string): string {
  return toBase64Url(
    hmac(sha256, typeof key === "string" ? utf8ToBytes(key) : Uint8Array.from(key), utf8ToBytes(text)),
  );
}

/** Whether a text was signed with this key. Takes the same time wherever a wrong signature differs. */
export function isSignedWith(key: string | Uint8Array, text: string, signature: string): boolean {
  const right = utf8ToBytes(hmacSignature(key, text));
  const given = utf8ToBytes(signature);
  let difference = right.length ^ given.length;
  for (const [index, byte] of right.entries()) difference |= byte ^ (given[index] ?? 0);
  return difference === 0;
}

/** Bytes as base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of base64url. */
export function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}
