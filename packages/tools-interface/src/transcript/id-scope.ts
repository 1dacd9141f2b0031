import type { Transcript } from "./transcript.ts";

/** The numbered ids of calls that this process has answered, by transcript. Few, because they come again and again. */
const answered = new WeakMap<Transcript, Set<string>>();

/** More digits are a random id: Groq's ids are `call_` and four characters. */
const MAX_NUMBER_DIGITS = 3;

/**
 * True for an id that comes with every message: the name of the called tool, or a number, alone or after words (`0`,
 * `call_0`, `functions.search:3`). Of all other ids nothing is guessed from their look: they identify a call. A caller
 * whose provider numbers calls in another way names the turn.
 */
export function isNumberedId(id: string, name: string): boolean {
  if (id === name) return true;
  let at = id.length;
  while (at > 0 && isDigit(id.charCodeAt(at - 1))) at -= 1;
  const digits = id.length - at;
  if (digits === 0 || digits > MAX_NUMBER_DIGITS) return false;
  const before = id.slice(0, at);
  return before === "" || before.endsWith(":") || before.endsWith(".") || /^[a-z]+(?:[_-][a-z]+)*[_-]$/.test(before);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * Whether an id identifies a call by itself, if no turn is known. Some providers number their calls anew in every
 * message, so the same id, name and arguments come again with the next message. A random id does. A numbered one does
 * only the first time in this process, which is when a restored conversation goes on where it broke off, and only if
 * running again could do harm.
 *
 * @param isHarmless Whether running the call again changes nothing.
 */
export function identifiesCall(
  transcript: Transcript,
  { id, name }: { readonly id: string; readonly name: string },
  isHarmless: boolean,
): boolean {
  return !isNumberedId(id, name) || (!isHarmless && answered.get(transcript)?.has(id) !== true);
}

/** Notes that a call with this id has been answered in this process. */
export function noteAnswered(transcript: Transcript, id: string, name: string): void {
  if (!isNumberedId(id, name)) return;
  const ids = answered.get(transcript);
  if (ids === undefined) answered.set(transcript, new Set([id]));
  else ids.add(id);
}
