/** A value of an object or array, with its share of the object: measured on V8, the most is 110. */
const VALUE_BYTES = 128;
/** Shorter texts count as if all of their characters took two bytes. */
const SHORT_CHARS = 256;
const PLACE_BYTES = 8;
/** A number this far beyond an object's places gets none. */
const MAX_GAP = 1024;
const MAX_PLACES = 8_192;
const NUMBER = /^\d{1,4}$/;

/** How many bytes of memory a text takes, at most. */
export function textBytes(text: string): number {
  return text.length < SHORT_CHARS || /[^\0-\xff]/.test(text) ? text.length * 2 : text.length;
}

/**
 * The places that an object has for numbers as keys after one more key. V8 makes one for each smaller number and half as
 * many more, unless the number is far beyond those that there are: 15,000 objects with the key `900` take 160 MB.
 *
 * @param places Those before: zero for an empty object, infinite for one that keeps its numbers in a table.
 */
export function placesWith(key: string, places: number): number {
  // Most keys begin with a letter. Seeing that takes a tenth of the time.
  if (key.charCodeAt(0) > 57 || !NUMBER.test(key)) return places;
  const number = Number(key);
  if (number - places >= MAX_GAP || places > MAX_PLACES) return Infinity;
  return number < places ? places : number * 1.5 + 16;
}

/** How many values places count for. */
export function placeValues(places: number): number {
  return Number.isFinite(places) ? Math.floor((places * PLACE_BYTES) / VALUE_BYTES) : 0;
}

/** How many bytes of memory JSON data takes, at most. Stops counting beyond `most`. */
export function keptBytes(value: unknown, most: number): number {
  if (typeof value === "string") return VALUE_BYTES + textBytes(value);
  if (typeof value !== "object" || value === null) return VALUE_BYTES;
  let bytes = VALUE_BYTES;
  if (Array.isArray(value)) {
    // By index: the keys of an array would each be made a text.
    for (let index = 0; index < value.length && bytes <= most; index += 1)
      bytes += keptBytes(value[index], most - bytes);
    return bytes;
  }
  let places = 0;
  for (const key in value) {
    if (bytes > most) return bytes;
    bytes += key.length * 2;
    places = placesWith(key, places);
    bytes += keptBytes((value as Record<string, unknown>)[key], most - bytes);
  }
  return places === 0 ? bytes : bytes + placeValues(places) * VALUE_BYTES;
}
