import { FilesError } from "../error/files-error.ts";
import { MAX_EDIT_BYTES } from "../version/content-version.ts";
import type { AppliedEdit } from "./applied-edit.ts";
import { MAX_PLACES, type EditSearch } from "./edit-match.ts";
import { editReplacement, firstLineEnd } from "./edit-replacement.ts";
import type { EditableText } from "./editable-text.ts";

/**
 * Replaces every place that was found, from the first on; one that overlaps the place before it stays.
 *
 * @throws {FilesError} When there are 10,000 places or more (`text_ambiguous`), or the file would become longer than 8 MiB.
 */
export function replaceAll(
  text: EditableText,
  search: EditSearch,
  newUnits: string,
  which: string,
): AppliedEdit & { written: EditableText } {
  const { view, places, tier } = search;
  if (places.length >= MAX_PLACES)
    throw new FilesError(
      `${which}.old_text is there ${MAX_PLACES} times or more, nothing was changed; use longer texts`,
      {
        code: "text_ambiguous",
      },
    );
  if (text.units.length + places.length * newUnits.length > MAX_EDIT_BYTES * 2)
    throw new FilesError(`${which} would make the file too long, allowed are ${MAX_EDIT_BYTES} bytes`, {
      code: "file_too_large",
    });
  const oneLine = !newUnits.includes("\n") && !search.wanted.includes("\n");
  const first = view.toOriginal(places[0]!.from);
  let [written, end, count, crlf] = ["", first, 0, false];
  for (const place of places) {
    const from = view.toOriginal(place.from);
    if (from < end) continue;
    const piece = oneLine
      ? newUnits
      : (editReplacement(text.units, search, place, newUnits, firstLineEnd(text.units)) ?? newUnits);
    written += text.units.slice(end, from) + piece;
    end = view.toOriginal(place.to);
    crlf ||= piece.includes("\r\n") && !newUnits.includes("\r");
    count += 1;
  }
  return { tier, crlf, indent: undefined, places: count, written: text.replaced(first, end, written) };
}
