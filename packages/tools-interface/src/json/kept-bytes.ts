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
  if (!NUMBER.test(key)) return places;
  const number = Number(key);
  if (number - places >= MAX_GAP || places > MAX_PLACES) return Infinity;
  return number < places ? places : number * 1.5 + 16;
}

/** How many values places count for. */
export function placeValues(places: number): number {
  return Number.isFinite(places) ? Math.floor((places * PLACE_BYTES) / VALUE_BYTES) : 0;
}

/** How many bytes of memory JSON data takes, at most. Stops counting beyond `most`. */
export function keptBytes(root: unknown, most: number): number {
  let bytes = 0;
  const visit = (value: unknown): void => {
    bytes += VALUE_BYTES;
    if (typeof value === "string") bytes += textBytes(value);
    if (typeof value !== "object" || value === null) return;
    const isArray = Array.isArray(value);
    let places = 0;
    for (const key in value) {
      if (bytes > most) return;
      if (!isArray) {
        bytes += key.length * 2;
        places = placesWith(key, places);
      }
      visit((value as Record<string, unknown>)[key]);
    }
    bytes += placeValues(places) * VALUE_BYTES;
  };
  visit(root);
  return bytes;
}
