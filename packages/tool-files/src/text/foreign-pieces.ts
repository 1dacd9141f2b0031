/** Bytes of evidence that shows an encoding: each costs a microsecond, and more of them say nothing new. */
const MAX_EVIDENCE = 8 * 1024;

/** The first lines of `bytes` that are not ASCII, as many as are judged. */
export function foreignLines(bytes: Uint8Array): Buffer {
  return evidence(bytes, 0x0a);
}

/** The first words of `bytes` that are not ASCII, as many as are judged. */
export function foreignWords(bytes: Uint8Array): Buffer {
  return evidence(bytes, 0x40);
}

/**
 * The pieces of `bytes` with a byte that is not ASCII in them; bytes below `border` separate pieces: lines, or words.
 * Around them, program text would be taken for the language.
 */
function evidence(bytes: Uint8Array, border: number): Buffer {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < MAX_EVIDENCE;) {
    if (bytes[at]! < 0x80) {
      at += 1;
      continue;
    }
    const isBorder = (place: number) => (border === 0x0a ? bytes[place] === border : bytes[place]! < border);
    let from = at;
    let to = at;
    while (from > 0 && !isBorder(from - 1) && at - from < MAX_EVIDENCE) from -= 1;
    while (to < bytes.length && !isBorder(to) && to - at < MAX_EVIDENCE) to += 1;
    pieces.push(bytes.subarray(from, to), Buffer.from(border === 0x0a ? "\n" : " "));
    length += to - from + 1;
    at = to + 1;
  }
  return Buffer.concat(pieces);
}
