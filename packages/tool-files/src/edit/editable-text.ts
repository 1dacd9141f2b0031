import { FilesError } from "../error/files-error.ts";
import { detectEncoding } from "../text/text-encoding.ts";

/** Encodings in which no byte of one character can be taken for another character. */
const SELF_SYNCHRONIZING = /^(UTF-|unknown|windows-125|ISO-8859-|KOI8-)/;
/** First unit that can be a part of a character of several bytes, in every encoding that has such. */
const FIRST_PART = 0x30;
const FIRST_NON_ASCII = 0x80;

/**
 * A file's bytes as a string of units, for looking and cutting without decoding anything: a unit is a byte, in UTF-16
 * two. Line feeds, carriage returns, tabs and spaces are the units of the same character code in every encoding.
 */
export interface EditableText {
  /** The whole file, byte order mark included. */
  readonly units: string;
  /** The units as a model sees them. */
  readonly view: LineEndView;
  /** Units of the byte order mark. */
  readonly markLength: number;
  /**
   * Text as it would stand in this file.
   *
   * @throws {FilesError} When its encoding lacks a character; code `not_encodable`. `which` names the text in the
   * message.
   */
  toUnits(text: string, which: string): string;
  /** Units as text, for showing only: invalid bytes are lost. */
  toText(units: string): string;
  /** Units as bytes of a file of this kind. */
  toBytes(units: string): Buffer;
  /** This text after the piece between two places was replaced. */
  replaced(from: number, to: number, piece: string): EditableText;
  /** Whether a piece begins and ends between characters, not within one. */
  isWhole(units: string, from: number, to: number): boolean;
  /** Whether text at a place may begin within a character: nobody has said in which encoding the byte before it is. */
  mayBeCut(units: string, from: number): boolean;
}

/** The units of a file's bytes, in the encoding that is stated or that they tell. Bytes that are no text are units too, of which only ASCII can be edited. */
export function editableText(bytes: Buffer, stated?: string): EditableText {
  const encoding = detectEncoding(bytes, stated);
  const wide = encoding?.unit === 2;
  const swapped = encoding?.name === "UTF-16BE";
  // Half a unit at the end of a damaged file stays there.
  const tail = wide ? bytes.subarray(bytes.length & ~1) : Buffer.alloc(0);
  const body = bytes.subarray(0, bytes.length - tail.length);
  const units = wide ? (swapped ? Buffer.from(body).swap16() : body).toString("utf16le") : body.toString("latin1");

  const rawBytes = (some: string) => {
    if (!wide) return Buffer.from(some, "latin1");
    return swapped ? Buffer.from(some, "utf16le").swap16() : Buffer.from(some, "utf16le");
  };
  const toText = (some: string) => (wide ? some : (encoding?.decode(rawBytes(some)) ?? some));

  const kind: TextKind = {
    markLength: (encoding?.mark.length ?? 0) / (wide ? 2 : 1),
    toUnits(text, which) {
      if (wide) return text;
      try {
        return (encoding?.encode(text) ?? encodeAscii(text)).toString("latin1");
      } catch (error) {
        if (!(error instanceof FilesError)) throw error;
        const reason = error.message.slice(error.message.indexOf(": ") + 2);
        const name =
          encoding?.name === "unknown"
            ? "in an unknown encoding (state it with encoding)"
            : (encoding?.name ?? "binary");
        throw new FilesError(`${which}: ${reason}; the file is ${name} and is kept so, nothing was changed`, {
          code: "not_encodable",
          cause: error,
        });
      }
    },
    toText,
    toBytes: (some) => Buffer.concat([rawBytes(some), tail]),
    isWhole(some, from, to) {
      if (encoding === undefined || SELF_SYNCHRONIZING.test(encoding.name)) return true;
      let start = from;
      let end = to;
      while (start > 0 && some.charCodeAt(start - 1) >= FIRST_PART) start -= 1;
      while (end < some.length && some.charCodeAt(end) >= FIRST_PART) end += 1;
      const parts = [some.slice(start, from), some.slice(from, to), some.slice(to, end)];
      return parts.map(toText).join("") === toText(some.slice(start, end));
    },
    mayBeCut: (some, from) =>
      (encoding === undefined || encoding.name === "unknown") &&
      some.charCodeAt(from - 1) >= FIRST_NON_ASCII &&
      some.charCodeAt(from) >= FIRST_PART,
  };
  return textOf(kind, units);
}

type TextKind = Omit<EditableText, "units" | "view" | "replaced">;

function textOf(kind: TextKind, units: string, known?: LineEndView): EditableText {
  let view = known;
  return {
    ...kind,
    units,
    get view() {
      return (view ??= LineEndView.of(units));
    },
    replaced: (from, to, piece) =>
      textOf(kind, units.slice(0, from) + piece + units.slice(to), view?.replaced(units, from, to, piece)),
  };
}

function encodeAscii(text: string): Buffer {
  const [character] = /[^\0-\x7f]/u.exec(text) ?? [];
  if (character === undefined) return Buffer.from(text, "latin1");
  throw new FilesError(`Cannot write text: it holds ${JSON.stringify(character)}, allowed is ASCII`);
}

/**
 * A text with one line ending, as a model sees it: every CRLF as LF, with the way back. Matching here ignores line ends; parts cut out and
 * kept come from the original text.
 */
export class LineEndView {
  /** The text without the carriage returns that stand before a line feed. */
  readonly text: string;
  /** Places in {@link LineEndView.text} of the line feeds that lost one, in order. */
  readonly #feeds: Int32Array;

  private constructor(text: string, feeds: Int32Array) {
    this.text = text;
    this.#feeds = feeds;
  }

  static of(original: string): LineEndView {
    if (!original.includes("\r\n")) return LineEndView.plain(original);
    const feeds: number[] = [];
    for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2))
      feeds.push(at - feeds.length);
    return new LineEndView(original.replaceAll("\r\n", "\n"), Int32Array.from(feeds));
  }

  /** A text that is seen as it is, carriage returns too. */
  static plain(text: string): LineEndView {
    return new LineEndView(text, new Int32Array(0));
  }

  /** The place in the original of a place in {@link LineEndView.text}; of a line feed, that of its carriage return. */
  toOriginal(offset: number): number {
    return offset + this.#feedsBefore((middle) => this.#feeds[middle]! < offset);
  }

  /**
   * The view of `original` after the piece between two places of it was replaced by `piece`. Does not read the rest of
   * the text. `undefined` if a carriage return is at an edge of the pieces: its line end may have changed.
   */
  replaced(original: string, from: number, to: number, piece: string): LineEndView | undefined {
    if (original[from - 1] === "\r" || original[to - 1] === "\r" || piece.endsWith("\r")) return undefined;
    const before = this.#feedsBefore((middle) => this.#feeds[middle]! + middle < from);
    const after = this.#feedsBefore((middle) => this.#feeds[middle]! + middle < to);
    const inside = LineEndView.of(piece);
    const start = from - before;
    const moved = start + inside.text.length - (to - after);
    const feeds = new Int32Array(before + inside.#feeds.length + this.#feeds.length - after);
    feeds.set(this.#feeds.subarray(0, before));
    feeds.set(
      inside.#feeds.map((feed) => feed + start),
      before,
    );
    feeds.set(
      this.#feeds.subarray(after).map((feed) => feed + moved),
      before + inside.#feeds.length,
    );
    return new LineEndView(this.text.slice(0, start) + inside.text + this.text.slice(to - after), feeds);
  }

  /** How many feeds, in order, come before the first that is not `before` a place. */
  #feedsBefore(before: (index: number) => boolean): number {
    let [low, high] = [0, this.#feeds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (before(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
