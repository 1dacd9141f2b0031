import { sha256 as hash } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of a text, in hex. The same on every platform: WebCrypto would be asynchronous, and Node's is not everywhere. */
export function sha256(text: string): string {
  return bytesToHex(hash(utf8ToBytes(text)));
}
