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
  const judged = id.slice(0, MAX_JUDGED_CHARS);
  const changes = judged.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0;
  return changes < 2 || judged.replaceAll(/[^a-z\d]/gi, "").length < MIN_UNIQUE_CHARS;
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
