import { closeSync, existsSync, fdatasyncSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { isBusy } from "./connection.ts";
import { damaged } from "./row-sums.ts";
import { isLogDamaged } from "./write-ahead-log.ts";

/** The seal: a checksum of all other bytes, in the field `application_id` of a closed file. None in a file that is open. */
const SEAL_AT = 68;
/** Fields of the header that SQLite may change without a change of its content. */
const UNSTEADY = [
  [24, 28],
  [SEAL_AT, SEAL_AT + 4],
  [92, 100],
] as const;
const CHUNK = 1 << 20;

/**
 * Checks a file that no process has open, and breaks its seal, unless it is only read. One that was not closed, as after a crash of the
 * machine, is checked by SQLite.
 *
 * @returns whether its bytes are those that were sealed; also true where there is no seal.
 */
export function breakSeal(file: string, isReadOnly: boolean): boolean {
  if (!existsSync(file)) return true;
  const log = `${file}-wal`;
  const isUnclean = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
  // Before SQLite opens it: that would take over what is left, and remove the log.
  if (isUnclean && isLogDamaged(log)) throw damaged("the write-ahead log");
  if (isReadOnly) return isUnclean || withHandle(openSync(file, "r"), isSealed);
  let isWhole = true;
  alone(file, (handle, database) => {
    if (isUnclean) {
      const row = database.prepare("PRAGMA quick_check(1)").get();
      if (row?.["quick_check"] !== "ok") throw damaged(String(row?.["quick_check"]));
    } else isWhole = isSealed(handle);
    if (sealOf(handle) !== 0) writeSeal(handle, 0);
  });
  return isWhole;
}

/** Seals a file that was closed, unless another process has it open. */
export function seal(file: string): void {
  alone(file, (handle) => writeSeal(handle, sumOfFile(handle)));
}

/**
 * Works while no process has the file open; does nothing when one has. Its handle is opened after the lock was granted and
 * closed after it was given back: closing any handle of a file ends all locks that the process has on it.
 */
function alone(file: string, work: (handle: number, database: DatabaseSync) => void): void {
  const database = new DatabaseSync(file, { timeout: 0 });
  let handle: number | undefined;
  try {
    // Granted at the first read only while no other process has the file open.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    handle = openSync(file, "r+");
    work(handle, database);
  } catch (error) {
    if (!isBusy(error)) throw error;
  } finally {
    database.close();
    if (handle !== undefined) closeSync(handle);
  }
}

function withHandle<Result>(handle: number, work: (handle: number) => Result): Result {
  try {
    return work(handle);
  } finally {
    closeSync(handle);
  }
}

function isSealed(handle: number): boolean {
  const sealed = sealOf(handle);
  return sealed === 0 || sealed === sumOfFile(handle);
}

/** The seal of a file, 0 for none. */
function sealOf(handle: number): number {
  const bytes = Buffer.alloc(4);
  readSync(handle, bytes, 0, bytes.length, SEAL_AT);
  return bytes.readUInt32BE();
}

function sumOfFile(handle: number): number {
  const chunk = Buffer.alloc(CHUNK);
  let sum = 0;
  for (let at = 0; ;) {
    const read = readSync(handle, chunk, 0, CHUNK, at);
    if (read === 0) return sum === 0 ? 1 : sum;
    if (at === 0) for (const [from, to] of UNSTEADY) chunk.fill(0, from, to);
    sum = crc32(chunk.subarray(0, read), sum);
    at += read;
  }
}

function writeSeal(handle: number, sum: number): void {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(sum);
  writeSync(handle, bytes, 0, bytes.length, SEAL_AT);
  // A broken seal must not come back with a crash of the machine.
  if (sum === 0) fdatasyncSync(handle);
}
