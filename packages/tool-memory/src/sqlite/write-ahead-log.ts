import { existsSync, readFileSync } from "node:fs";
import { endianness } from "node:os";

/** Sizes of SQLite's "WAL" format: of the header, of a frame's header, and of a page, which this package leaves as it is. */
const HEADER = 32;
const FRAME = 24;
const PAGE = 4096;
/** The format's number on a machine that has the last byte of a number first, and on others. */
const MAGIC = endianness() === "LE" ? 0x37_7f_06_82 : 0x37_7f_06_83;

/**
 * Whether a write-ahead log was damaged where it was already on disk. SQLite takes what follows a wrong checksum for the
 * rest of a write that a crash cut off, and drops it unsaid. It is more where a whole change follows and then another one:
 * each change is on disk before the next begins. Damage within the last change looks like a crash.
 */
export function isLogDamaged(file: string): boolean {
  try {
    const log = readFileSync(file);
    // Another process that has begun the log anew may have replaced a part of what was read.
    return log.length > HEADER && hasGap(log) && readFileSync(file).subarray(0, HEADER).equals(log.subarray(0, HEADER));
  } catch (error) {
    // The last process that had it open has removed it.
    if (!existsSync(file)) return false;
    throw error;
  }
}

function hasGap(log: Buffer): boolean {
  const start = sumOf(log, 0, 24, 0, 0);
  const isHeaderWhole = log.readUInt32BE(0) === MAGIC && isSum(log, 24, start);
  if (isHeaderWhole && log.readUInt32BE(8) !== PAGE) return false;
  // Behind the frames of this log stand those of an earlier one, with another salt.
  const salt = isHeaderWhole ? 16 : HEADER + 8;
  let [isBroken, isCommitted] = [!isHeaderWhole, false];
  for (let at = HEADER; at + FRAME + PAGE <= log.length; at += FRAME + PAGE) {
    // The sum of a frame goes on from that of the frame before.
    const before = at === HEADER ? 24 : at - PAGE - 8;
    const head = sumOf(log, at, 8, log.readUInt32BE(before), log.readUInt32BE(before + 4));
    const isWhole =
      log.compare(log, at + 8, at + 16, salt, salt + 8) === 0 &&
      isSum(log, at + 16, sumOf(log, at + FRAME, PAGE, ...head));
    if (!isWhole) [isBroken, isCommitted] = [true, false];
    else if (isBroken && isCommitted) return true;
    else isCommitted ||= log.readUInt32BE(at + 4) !== 0;
  }
  return false;
}

/** SQLite's checksum of bytes, gone on from another. */
function sumOf(log: Buffer, from: number, length: number, first: number, second: number): [number, number] {
  let [one, two] = [first, second];
  const words = new DataView(log.buffer, log.byteOffset + from, length);
  for (let at = 0; at < length; at += 8) {
    one = (one + words.getUint32(at, endianness() === "LE") + two) >>> 0;
    two = (two + words.getUint32(at + 4, endianness() === "LE") + one) >>> 0;
  }
  return [one, two];
}

function isSum(log: Buffer, at: number, [one, two]: readonly [number, number]): boolean {
  return log.readUInt32BE(at) === one && log.readUInt32BE(at + 4) === two;
}
