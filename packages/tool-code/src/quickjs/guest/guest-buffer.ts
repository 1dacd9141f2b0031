/** Texts that bytes are written as. */
type Encoding = "utf8" | "base64" | "base64url" | "hex" | "latin1";

/**
 * Makes `Buffer`, as far as programs use it to convert texts and bytes. Runs inside QuickJS, sent there as source, so it
 * uses nothing from outside of itself.
 */
export function guestBuffer(): typeof Uint8Array {
  const { TextEncoder, TextDecoder, TypeError, atob, btoa } = globalThis;
  const PIECE = 8_192;

  function encodingOf(name: unknown): Encoding {
    const plain = `${(name as string | undefined) ?? "utf8"}`.toLowerCase().replace("-", "");
    if (plain === "binary" || plain === "ascii") return "latin1";
    if (/^(?:utf8|base64|base64url|hex|latin1)$/.test(plain)) return plain as Encoding;
    throw new TypeError(`Unknown encoding: ${plain.slice(0, 50)}, allowed are utf8, base64, base64url, hex and latin1`);
  }

  const bytesOf = (binary: string): Uint8Array => Uint8Array.from(binary, (char) => char.charCodeAt(0) & 255);

  function parsed(text: string, encoding: Encoding): Uint8Array {
    if (encoding === "utf8") return new TextEncoder().encode(text);
    if (encoding === "latin1") return bytesOf(text);
    if (encoding === "hex") {
      const digits = /^(?:[\da-f]{2})*/i.exec(text)?.[0] ?? "";
      return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
        Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16),
      );
    }
    const plain = text
      .replaceAll("-", "+")
      .replaceAll("_", "/")
      .replace(/[^\w+/]/g, "");
    return bytesOf(atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain));
  }

  class Buffer extends Uint8Array {
    static override from(value: any, encoding?: any): Buffer {
      if (typeof value === "string") return Buffer.of(parsed(value, encodingOf(encoding)));
      if (value instanceof ArrayBuffer) return new Buffer(value);
      return Buffer.of(value?.type === "Buffer" && Array.isArray(value.data) ? value.data : value);
    }

    /** A copy of a list of bytes. */
    static override of(bytes: any): Buffer {
      const made = new Buffer(bytes.length);
      made.set(bytes);
      return made;
    }

    static alloc(size: number, fill: number = 0): Buffer {
      return new Buffer(size).fill(fill);
    }

    static allocUnsafe(size: number): Buffer {
      return new Buffer(size);
    }

    static concat(list: readonly Uint8Array[]): Buffer {
      const made = new Buffer(list.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const part of list) {
        made.set(part, at);
        at += part.length;
      }
      return made;
    }

    static isBuffer(value: unknown): boolean {
      return value instanceof Buffer;
    }

    static byteLength(value: string | Uint8Array, encoding?: string): number {
      return typeof value === "string" ? parsed(value, encodingOf(encoding)).length : value.byteLength;
    }

    override toString(encoding?: string, start = 0, end: number = this.length): string {
      const bytes = this.subarray(start, end);
      const kind = encodingOf(encoding);
      if (kind === "utf8") return new TextDecoder().decode(bytes);
      if (kind === "hex") return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      let binary = "";
      for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
      if (kind === "latin1") return binary;
      const text = btoa(binary);
      return kind === "base64" ? text : text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    }

    toJSON(): object {
      return { type: "Buffer", data: Array.from(this) };
    }

    equals(other: Uint8Array): boolean {
      return this.length === other.length && this.every((byte, at) => byte === other[at]);
    }
  }
  return Buffer;
}
