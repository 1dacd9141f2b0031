import type { Transcript } from "./transcript.ts";

/** Longer ids are judged by their beginning. */
const MAX_JUDGED_CHARS = 200;
const MIN_UNIQUE_CHARS = 8;

/** The numbered ids of calls that this process has answered, by transcript. Few, because they come again and again. */
const answered = new WeakMap<Transcript, Set<string>>();

/**
 * True for an id that looks numbered, such as `call_0`, and false for a random one, such as `toolu_01A09q90qw90` or a
 * UUID: only those change from letters to digits and back within a word.
 */
export function isNumberedId(id: string): boolean {
  let [changes, count, last] = [0, 0, 0];
  // Not with regular expressions, which take six times as long: every recorded call is judged.
  for (let at = 0; at < id.length && at < MAX_JUDGED_CHARS; at += 1) {
    const kind = kindOf(id.charCodeAt(at));
    if (kind !== 0) count += 1;
    if (kind !== 0 && last !== 0 && kind !== last) changes += 1;
    last = kind;
  }
  return changes < 2 || count < MIN_UNIQUE_CHARS;
}

/** 1 for an ASCII digit, 2 for an ASCII letter, 0 for any other character. */
function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return 1;
  const lower = code | 32;
  return lower >= 97 && lower <= 122 ? 2 : 0;
}

/**
 * Whether an id identifies a call by itself, if no turn is known. Some providers number their calls anew in every
 * message, so the same id, name and arguments come again with the next message. A random id does. A numbered one does
 * only the first time in this process, which is when a restored conversation goes on where it broke off, and only if
 * running again could do harm.
 *
 * @param isHarmless Whether running the call again changes nothing.
 */
export function identifiesCall(transcript: Transcript, id: string, isHarmless: boolean): boolean {
  return !isNumberedId(id) || (!isHarmless && answered.get(transcript)?.has(id) !== true);
}

/** Notes that a call with this id has been answered in this process. */
export function noteAnswered(transcript: Transcript, id: string): void {
  if (!isNumberedId(id)) return;
  const ids = answered.get(transcript);
  if (ids === undefined) answered.set(transcript, new Set([id]));
  else ids.add(id);
}
