/** Units of a text passed to the engine's own search, whose cost grows with their number. */
const ANCHOR_LENGTH = 32;
/** Units compared for each unit of the searched text before the search changes to one that cannot take longer. */
const COMPARED_PER_UNIT = 8;

/**
 * Where `wanted`, which is not empty, is in `text`, overlapping places included. It takes time linear in the length of
 * both, even if they repeat; the engine's own search does not.
 */
export function* textOffsets(text: string, wanted: string): Generator<number, void> {
  const anchor = wanted.slice(0, ANCHOR_LENGTH);
  let budget = text.length * COMPARED_PER_UNIT;
  for (let at = text.indexOf(anchor); at !== -1; at = text.indexOf(anchor, at + 1)) {
    if (wanted.length > ANCHOR_LENGTH) {
      budget -= wanted.length;
      if (budget < 0) return yield* repetitiveOffsets(text, wanted, at);
      if (!text.startsWith(wanted, at)) continue;
    }
    yield at;
  }
}

/** Whether `wanted` is in `text`, in linear time. */
export function includesText(text: string, wanted: string): boolean {
  return wanted === "" || textOffsets(text, wanted).next().done !== true;
}

/** The search of Knuth, Morris and Pratt, from `from` on. */
function* repetitiveOffsets(text: string, wanted: string, from: number): Generator<number, void> {
  const borders = bordersOf(wanted.length, (one, other) => wanted.charCodeAt(one) === wanted.charCodeAt(other));
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && (matched === wanted.length || wanted.charCodeAt(matched) !== unit))
      matched = borders[matched]!;
    if (wanted.charCodeAt(matched) === unit) matched += 1;
    if (matched === wanted.length) yield at - matched + 1;
  }
}

/**
 * For each number of leading items of a sequence of `length` the length of the longest shorter sequence that they begin and
 * end with. `same` compares two items by their place.
 */
export function bordersOf(length: number, same: (one: number, other: number) => boolean): Int32Array {
  const borders = new Int32Array(length + 1);
  let border = 0;
  for (let at = 1; at < length; at += 1) {
    while (border > 0 && !same(at, border)) border = borders[border]!;
    if (same(at, border)) border += 1;
    borders[at + 1] = border;
  }
  return borders;
}
