import { mayBeText } from "../text/text-kind.ts";
import type { OmissionReason } from "./search-omissions.ts";
import type { SearchedText } from "./searched-text.ts";

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
