import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMemory } from "../memory/open-memory.ts";
import { isLogDamaged } from "./write-ahead-log.ts";

const FRAME = 24 + 4096;
let root: string;
let log: Buffer;
let isCommit: (frame: number) => boolean;
/** A memory whose process was killed, with all changes in the log. */
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "log-"));
  const { manager, close } = await openMemory(join(root, "open"));
  for (let n = 0; n < 12; n += 1) await manager.write({ label: `note ${n}`, content: `tea ${n}` });
  cpSync(join(root, "open"), join(root, "killed"), { recursive: true });
  await close();
  log = readFileSync(join(root, "killed", "memory.db-wal"));
  isCommit = (frame) => log.readUInt32BE(32 + frame * FRAME + 4) !== 0;
});
afterAll(() => rmSync(root, { recursive: true }));

function isDamaged(bytes: Buffer): boolean {
  const file = join(root, "log");
  writeFileSync(file, bytes);
  return isLogDamaged(file);
}

function flipped(at: number): Buffer {
  const bytes = Buffer.from(log);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
}

test("one wrong bit is damage wherever another change follows, and in the last change a crash", () => {
  const frames = Array.from({ length: (log.length - 32) / FRAME }, (_, frame) => frame);
  const commits = frames.filter(isCommit);
  // The next frame is broken too where the bit is in the sum of this one, so that one more change has to follow.
  const settled = commits.at(-3) ?? 0;
  expect(commits.length).toBeGreaterThan(12);
  expect(isDamaged(log)).toBe(false);
  for (let at = 0; at < 32; at += 1) expect(isDamaged(flipped(at)), `byte ${at} of the header`).toBe(true);
  for (let frame = 0; frame <= settled; frame += 7)
    for (const at of [0, 5, 9, 17, 24, 4000]) expect(isDamaged(flipped(32 + frame * FRAME + at))).toBe(true);
  for (let frame = (commits.at(-2) ?? 0) + 1; frame < frames.length; frame += 1)
    expect(isDamaged(flipped(32 + frame * FRAME + 100))).toBe(false);
});

test("a log that was cut off anywhere or removed, or is followed by an earlier one, is no damage", () => {
  for (let length = 1; length < log.length; length += 20_011) expect(isDamaged(log.subarray(0, length))).toBe(false);
  expect(isLogDamaged(join(root, "removed"))).toBe(false);
  const file = join(root, "small.db");
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x); PRAGMA wal_autocheckpoint = 0");
  for (let n = 0; n < 20; n += 1) database.exec(`INSERT INTO t VALUES (${n})`);
  database.exec("PRAGMA wal_checkpoint(RESTART)");
  for (let n = 0; n < 5; n += 1) {
    database.exec(`INSERT INTO t VALUES (${n})`);
    expect(isLogDamaged(`${file}-wal`)).toBe(false);
  }
  database.close();
});

test("a memory with a damaged log is refused, each time, and no change is dropped unsaid", async () => {
  const directory = join(root, "killed");
  writeFileSync(join(directory, "memory.db-wal"), flipped(32 + 40 * FRAME + 200));
  for (let n = 0; n < 2; n += 1) await expect(openMemory(directory)).rejects.toMatchObject({ code: "memory_damaged" });
  writeFileSync(join(directory, "memory.db-wal"), log);
  const { manager, close } = await openMemory(directory);
  expect(await manager.list()).toHaveLength(12);
  await close();
});
