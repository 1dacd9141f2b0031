import { sha256 as hash } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Node's hash, ten times as fast, where there is one. WebCrypto would be asynchronous. */
const native = findNative();

function findNative(): ((text: string) => string) | undefined {
  try {
    const crypto = (globalThis as { process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.("node:crypto");
    return crypto?.createHash && ((text) => crypto.createHash("sha256").update(text).digest("hex"));
  } catch {
    // Edge runtimes forbid even to look.
    return undefined;
  }
}

/** SHA-256 of a text, in hex. The same on every platform. */
export function sha256(text: string): string {
  return native?.(text) ?? bytesToHex(hash(utf8ToBytes(text)));
}
