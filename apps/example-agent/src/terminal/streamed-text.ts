import { cleanText } from "@dispatch/tools-interface/display";

/** Code points before a piece that decide whether a joiner in it is needed. */
const CONTEXT = 4;
/** A variation selector and a joiner, whose right neighbour comes with the next piece. */
const OPEN_END = /[\uFE0E\uFE0F]?[\u200C\u200D]$|[\uFE0E\uFE0F]$/;

/**
 * Cleans a text that comes in pieces, as if it came at once. An emoji of several code points, or a word of a script with
 * joiners, may come in two pieces; cleaned alone, each would show a replacement character.
 */
export class StreamedText {
  #before = "";
  #held = "";

  /** The part of the text that can be shown after the next piece. A joiner at the end waits for its neighbour. */
  add(piece: string): string {
    const text = this.#held + piece;
    this.#held = OPEN_END.exec(text)?.[0] ?? "";
    const shown = this.#before + text.slice(0, text.length - this.#held.length);
    const clean = cleanText(shown).slice(cleanText(this.#before).length);
    this.#before = Array.from(shown.slice(-2 * CONTEXT))
      .slice(-CONTEXT)
      .join("");
    return clean;
  }
}
