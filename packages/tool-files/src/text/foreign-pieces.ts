/** Bytes of evidence that shows an encoding: each costs a microsecond, and more of them say nothing new. */
const MAX_EVIDENCE = 8 * 1024;

/** The first lines of `bytes` that are not ASCII, as many as are judged. */
export function foreignLines(bytes: Uint8Array): Buffer {
  const lines: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < MAX_EVIDENCE;) {
    if (bytes[at]! < 0x80) {
      at += 1;
      continue;
    }
    let from = at;
    let to = at;
    while (from > 0 && bytes[from - 1] !== 0x0a && at - from < MAX_EVIDENCE) from -= 1;
    while (to < bytes.length && bytes[to] !== 0x0a && to - at < MAX_EVIDENCE) to += 1;
    lines.push(bytes.subarray(from, to), Buffer.from("\n"));
    length += to - from + 1;
    at = to + 1;
  }
  return Buffer.concat(lines);
}
