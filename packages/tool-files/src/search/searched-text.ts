import { isUtf8 } from "node:buffer";
import fs from "node:fs";
import { fill } from "../text/bytes.ts";
import { controlReason, decodeUtf16, mayBeText, textKind } from "../text/text-kind.ts";
import { TimeSlice } from "../thread/time-slice.ts";

/** Longest file that is held in memory, in bytes, and so is searched whole and in any encoding: 8 MiB. */
export const MAX_HELD_BYTES: number = 8 * 1024 * 1024;
/** Bytes of a longer file that show its encoding. */
const HEAD_BYTES = 64 * 1024;

/**
 * The state of a file's bytes: `text` in UTF-8 or UTF-16; `decoded` from a stated encoding;
 * `damaged`, UTF-8 with invalid bytes; `unknown`, of which only ASCII is known; `binary`; `undecoded`, too
 * long to be decoded.
 */
type TextState = "text" | "decoded" | "damaged" | "unknown" | "binary" | "undecoded";

/** A file as it is searched: its text in UTF-8 without a byte order mark, or its bytes. */
export interface SearchedText {
  readonly state: TextState;
  /** All its bytes, if they are held. */
  readonly held: Buffer | undefined;
  /** The bytes of the file, if they are held and are not those that are searched. */
  readonly raw?: Buffer;
  /** Bytes from a place, fewer than `length` only at the end. */
  read(position: number, length: number): Buffer;
}

/** Bytes of a file in the encoding that the caller states. */
interface UndecodedText {
  readonly state: "stated";
  readonly bytes: Buffer;
}

/**
 * Reads an open file, or enough of it to determine its state. The file has to stay open while a longer one is used. A
 * file that fits into `shared` is held there, until the next one is.
 */
export function searchedText(
  fd: number,
  size: number,
  stated: string | undefined,
  shared?: Buffer,
): SearchedText | UndecodedText {
  if (size > MAX_HELD_BYTES) return longText(fd, stated);
  const room = shared !== undefined && size <= shared.length ? shared.subarray(0, size) : Buffer.allocUnsafe(size);
  const bytes = fill(fd, room, 0);
  const { kind, markLength } = textKind(bytes);
  if (stated !== undefined && markLength === 0 && (!isUtf8(bytes) || bytes.includes(0)))
    return { state: "stated", bytes };
  if (kind === "binary" || kind === "unknown") return heldText(kind, bytes);
  const text = bytes.subarray(markLength);
  if (kind === "UTF-16LE" || kind === "UTF-16BE") return heldText("text", Buffer.from(decodeUtf16(text, kind)));
  return heldText(kind === "UTF-8" ? "text" : "damaged", text);
}

/** Bytes that are decoded before the event loop may do other work. */
const DECODED_BYTES = 256 * 1024;

/** The text of bytes in a stated encoding, decoded a part at a time. */
export async function decodedText(bytes: Buffer, stated: string): Promise<SearchedText> {
  // Loaded here: it takes longer than most searches, and few meet such a file.
  const { default: iconv } = await import("iconv-lite");
  const decoder = iconv.getDecoder(stated);
  const slice = new TimeSlice();
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += DECODED_BYTES) {
    parts.push(Buffer.from(decoder.write(bytes.subarray(from, from + DECODED_BYTES))));
    await slice.pause();
  }
  parts.push(Buffer.from(decoder.end() ?? ""));
  return { ...heldText("decoded", Buffer.concat(parts)), raw: bytes };
}

function heldText(state: TextState, held: Buffer): SearchedText {
  return { state, held, read: (position, length) => held.subarray(position, position + length) };
}

function longText(fd: number, stated: string | undefined): SearchedText {
  const head = fill(fd, Buffer.allocUnsafe(HEAD_BYTES), 0);
  const feed = head.includes(0) ? -1 : head.lastIndexOf(10);
  const { kind, markLength } = textKind(feed === -1 ? wholeStart(head) : head.subarray(0, feed + 1));
  const read = (from: number) => (position: number, length: number) => {
    const chunk = Buffer.allocUnsafe(length);
    return chunk.subarray(0, fs.readSync(fd, chunk, 0, length, from + position));
  };
  if (kind === "binary" || kind === "unknown") {
    const isStated = stated !== undefined && controlReason(head) === undefined;
    return { state: isStated ? "undecoded" : kind, held: undefined, read: read(0) };
  }
  const state = kind === "UTF-8" ? "text" : kind === "damaged UTF-8" ? "damaged" : "undecoded";
  return { state, held: undefined, read: read(markLength) };
}

/** A beginning without the character it ends within. */
function wholeStart(head: Buffer): Buffer {
  for (let cut = 0; cut < 4; cut += 1)
    if (isUtf8(head.subarray(0, head.length - cut))) return head.subarray(0, head.length - cut);
  return head;
}

/** Why something was not searched, or not all of it. */
export type OmissionReason = "binary" | "encoding" | "long_line" | "too_large" | "unreadable" | "name";

/**
 * Why the search of a file may have missed something. `matched`: whether its text, or its bytes if it is binary, matched.
 * `forms`: the bytes of the query in other encodings; `undefined` for a regular expression, which has no such list.
 */
export function omissionOf(
  { state, held, raw = held }: SearchedText,
  matched: boolean,
  forms: readonly Uint8Array[] | undefined,
  ignoreCase: boolean,
): OmissionReason | undefined {
  if (state === "text") return undefined;
  if (state === "undecoded") return "too_large";
  if (state === "binary") {
    const may = matched || raw === undefined || (forms !== undefined && holdsForm(raw, forms, ignoreCase));
    if (!matched && raw !== undefined && (may || forms === undefined) && mayBeText(raw)) return "encoding";
    return may ? "binary" : undefined;
  }
  // A line of damaged UTF-8 may be in another encoding than the rest.
  if (forms === undefined) return state === "unknown" || (state === "damaged" && !matched) ? "encoding" : undefined;
  // It may stand there in an encoding that the file was not taken to have.
  return !matched && raw !== undefined && holdsForm(raw, forms, ignoreCase) ? "encoding" : undefined;
}

/** Whether bytes hold one of the forms. */
function holdsForm(bytes: Buffer, forms: readonly Uint8Array[], ignoreCase: boolean): boolean {
  if (!ignoreCase) return forms.some((form) => bytes.includes(form));
  const folded = lowerCase(bytes);
  return forms.some((form) => folded.includes(lowerCase(form)));
}

function lowerCase(bytes: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(bytes).toString("latin1").toLowerCase(), "latin1");
}
