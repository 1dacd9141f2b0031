import { isUtf8 } from "node:buffer";
import { explainMiss } from "./explain-miss.ts";
import { FilesError } from "./files-error.ts";
import { lineEndView } from "./line-end-view.ts";

/** Places looked for before it is enough to know that a text is not unique. */
const MAX_PLACES = 10_000;
/** Line numbers of an ambiguity listed. */
const LISTED_PLACES = 200;

/** One replacement. */
export interface Edit {
  /** What to replace. Must be there exactly once when its turn comes. */
  readonly old_text: string;
  /** What to put there. */
  readonly new_text: string;
}

/** What edits made of bytes. */
export interface EditedBytes {
  /** The new bytes. Outside the replaced places they are the old ones. */
  readonly bytes: Buffer;
  /** How many edits had line feeds of their new text written as CRLF, as their surroundings are. */
  readonly crlf: number;
}

interface Applied {
  readonly bytes: Buffer;
  readonly crlf: boolean;
}

/**
 * Applies edits one after the other, each to what the one before left. Nothing is decoded. A text without carriage
 * returns matches CRLF as well as LF, and what is written in its place has the line ends that were there.
 *
 * @throws {FilesError} When one cannot be applied; codes `invalid_edit`, `text_not_found`, `text_ambiguous`, `not_utf8`.
 */
export function editBytes(original: Buffer, edits: readonly Edit[], attempt: string): EditedBytes {
  const utf8 = isUtf8(original);
  let bytes = original;
  let crlf = 0;
  for (const [index, edit] of edits.entries()) {
    const which = `${attempt}: edits[${index}]`;
    checkEdit(edit, which, utf8);
    const applied = applyEdit(bytes, edit, which, original);
    bytes = applied.bytes;
    if (applied.crlf) crlf += 1;
  }
  return { bytes, crlf };
}

function checkEdit({ old_text, new_text }: Edit, which: string, utf8: boolean): void {
  const invalid = (found: string) => new FilesError(`${which}${found}, nothing was changed`, { code: "invalid_edit" });
  if (old_text === "") throw invalid(".old_text is empty, it has to be text of the file");
  if (old_text === new_text) throw invalid(".new_text is the same as old_text");
  if (!old_text.isWellFormed() || !new_text.isWellFormed())
    throw invalid(" holds half a surrogate pair, send whole characters");
  if (!utf8 && /[^\0-\x7f]/.test(old_text + new_text)) {
    throw new FilesError(
      `${which} holds characters other than ASCII, and the file is not UTF-8: only ASCII can be edited there, nothing was changed`,
      { code: "not_utf8" },
    );
  }
}

function applyEdit(bytes: Buffer, { old_text, new_text }: Edit, which: string, original: Buffer): Applied {
  const literal = old_text.includes("\r");
  const view = literal ? { bytes, toOriginal: (offset: number) => offset } : lineEndView(bytes);
  const wanted = Buffer.from(old_text, "utf8");
  const places = placesOf(view.bytes, wanted);
  const [place] = places;
  if (place === undefined) {
    const before = original !== bytes && placesOf(literal ? original : lineEndView(original).bytes, wanted).length > 0;
    throw new FilesError(
      `${which}.old_text was not found, nothing was changed\n${explainMiss(view.bytes, old_text, before)}`,
      { code: "text_not_found" },
    );
  }
  if (places.length > 1) throw ambiguous(view.bytes, places, which);
  const from = view.toOriginal(place);
  const to = view.toOriginal(place + wanted.length);
  const written = literal ? new_text : withLineEnds(new_text, bytes, from, to);
  return {
    bytes: Buffer.concat([bytes.subarray(0, from), Buffer.from(written, "utf8"), bytes.subarray(to)]),
    crlf: written !== new_text,
  };
}

/** Where `wanted` is, overlapping places included. */
function placesOf(bytes: Buffer, wanted: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(wanted); at !== -1 && places.length < MAX_PLACES; at = bytes.indexOf(wanted, at + 1))
    places.push(at);
  return places;
}

function ambiguous(bytes: Buffer, places: readonly number[], which: string): FilesError {
  const lines: number[] = [];
  let line = 0;
  let counted = 0;
  for (const place of places.slice(0, LISTED_PLACES)) {
    for (let at = bytes.indexOf(10, counted); at !== -1 && at < place; at = bytes.indexOf(10, counted)) {
      line += 1;
      counted = at + 1;
    }
    lines.push(line);
  }
  const times = places.length === MAX_PLACES ? `${MAX_PLACES} times or more` : `${places.length} times`;
  const more = places.length > lines.length ? " and further" : "";
  return new FilesError(
    `${which}.old_text is there ${times}, beginning at lines ${lines.join(", ")}${more} (0-based), nothing was changed; add lines before or after it until it is there once`,
    { code: "text_ambiguous" },
  );
}

/** `text` with the line ends of what it replaces, or of the line it is put in. */
function withLineEnds(text: string, bytes: Buffer, from: number, to: number): string {
  if (!text.includes("\n") || text.includes("\r")) return text;
  const ends: string[] = [];
  for (let at = bytes.indexOf(10, from); at !== -1 && at < to; at = bytes.indexOf(10, at + 1))
    ends.push(lineEndAt(bytes, at));
  if (ends.length === 0) {
    const next = bytes.indexOf(10, to);
    const near = next === -1 ? bytes.lastIndexOf(10, from) : next;
    ends.push(near === -1 ? "\n" : lineEndAt(bytes, near));
  }
  let nth = 0;
  return text.replaceAll("\n", () => ends[Math.min(nth++, ends.length - 1)] ?? "\n");
}

function lineEndAt(bytes: Buffer, feed: number): string {
  return bytes[feed - 1] === 13 ? "\r\n" : "\n";
}
