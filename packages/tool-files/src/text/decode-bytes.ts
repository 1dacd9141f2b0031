import { detectEncoding, encodingNamed, statedEncoding, type TextEncoding } from "./text-encoding.ts";

/** Bytes whose encoding a thread is to detect. */
export interface DecodeWork {
  readonly bytes: Uint8Array;
  /** The encoding, when the caller states it: a name that `encodingName` gives. */
  readonly stated: string | undefined;
  /** Whether the text is wanted, too. */
  readonly wanted: boolean;
}

/** The thread's answer. */
export interface DecodeAnswer {
  /** The encoding. `undefined`: the bytes are binary. */
  readonly name: string | undefined;
  /** See {@link TextEncoding.exact}. */
  readonly exact: boolean;
  /** The text in UTF-8 without a byte order mark, if it was wanted. */
  readonly text: Uint8Array | undefined;
}

/** Detects the encoding of bytes, and decodes them if wanted. */
export function decodeBytes({ bytes, stated, wanted }: DecodeWork): DecodeAnswer {
  const encoding = stated === undefined ? detectEncoding(bytes) : statedEncoding(bytes, stated);
  if (encoding === undefined) return { name: undefined, exact: false, text: undefined };
  const text = wanted ? Buffer.from(encoding.decode(bytes.subarray(encoding.mark.length))) : undefined;
  return { name: encoding.name, exact: encoding.exact, text };
}

/** The encoding that a thread detected. */
export function toldEncoding({ name, exact }: DecodeAnswer): TextEncoding | undefined {
  return name === undefined ? undefined : encodingNamed(name, exact);
}
