/** Bytes of an entry before its name, without those of its hash. */
const ENTRY_HEAD = 42;
/** Bytes of the file before its entries. */
const FILE_HEAD = 12;
/** Bytes of a hash: SHA-1, SHA-256. */
const HASHES = [20, 32];
const EXTENDED = 0x4000;
const NAME_LENGTH = 0xfff;

/**
 * The paths in a Git index of version 2, 3 or 4, in its order. `undefined` when it is damaged or of another kind: nothing of
 * it is believed then. The format is that of Git's `gitformat-index`.
 */
export function indexedPaths(index: Buffer): string[] | undefined {
  if (index.length < FILE_HEAD || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  for (const hash of HASHES) {
    const paths = pathsIn(index, version, hash);
    if (paths !== undefined) return paths;
  }
  return undefined;
}

function pathsIn(index: Buffer, version: number, hash: number): string[] | undefined {
  const count = index.readUInt32BE(8);
  const end = index.length - hash;
  const paths: string[] = [];
  let at = FILE_HEAD;
  let previous = Buffer.alloc(0);
  for (let nth = 0; nth < count; nth += 1) {
    if (at + ENTRY_HEAD + hash >= end) return undefined;
    const flags = index.readUInt16BE(at + ENTRY_HEAD + hash - 2);
    let name = at + ENTRY_HEAD + hash + ((flags & EXTENDED) !== 0 ? 2 : 0);
    let kept = 0;
    if (version === 4) {
      const cut = variableNumber(index, name);
      if (cut === undefined || cut.value > previous.length) return undefined;
      kept = previous.length - cut.value;
      name = cut.next;
    }
    const close = index.indexOf(0, name);
    const known = flags & NAME_LENGTH;
    const length = kept + close - name;
    if (close === -1 || close >= end || length === 0 || (known !== NAME_LENGTH && known !== length)) return undefined;
    const path = Buffer.concat([previous.subarray(0, kept), index.subarray(name, close)]);
    // Entries are sorted; one path may stand there with several stages of a merge.
    if (Buffer.compare(previous, path) > 0) return undefined;
    paths.push(path.toString("utf8"));
    previous = path;
    at = version === 4 ? close + 1 : at + ((close - at + 8) & ~7);
  }
  return paths;
}

/** A number in groups of seven bits, as Git's packs have offsets. */
function variableNumber(bytes: Buffer, at: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let next = at; next < at + 5; next += 1) {
    const byte = bytes[next];
    if (byte === undefined) return undefined;
    value = (next === at ? 0 : (value + 1) * 128) + (byte & 127);
    if (byte < 128) return { value, next: next + 1 };
  }
  return undefined;
}
