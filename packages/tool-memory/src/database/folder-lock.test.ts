import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startChild } from "../../test/child.ts";
import { lockFolder } from "./folder-lock.ts";
import { thisProcess } from "./process-identity.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "folder-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hold = (change: object): void =>
  writeFileSync(join(folder, "lock.7"), JSON.stringify({ ...thisProcess(), ...change }));

test("lockFolder() takes a folder once, and again after it was released", () => {
  const lock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(`this process (${process.pid}) has it open`);
  lock.release();
  lock.release();
  const again = lockFolder(folder);
  lock.release();
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: "memory_locked" }));
  again.release();
  expect(readdirSync(folder)).toEqual(["lock.2"]);
});

test("lockFolder() makes the folder, for its user alone", () => {
  const inner = join(folder, "a", "b");
  lockFolder(inner).release();
  expect(readdirSync(inner)).toEqual(["lock.1"]);
});

test("lockFolder() takes over from a process that is gone", () => {
  hold({ pid: 2 ** 22 + 1 });
  lockFolder(folder).release();
  expect(readdirSync(folder)).toEqual(["lock.8"]);
});

test("lockFolder() takes over when another process has the pid since, or the machine was started anew", () => {
  for (const holder of [{ started: "1" }, { boot: "another" }]) {
    hold(holder);
    lockFolder(folder).release();
    expect(readdirSync(folder)).toEqual(["lock.8"]);
    rmSync(join(folder, "lock.8"));
  }
});

test.each([
  [{ pid: process.pid }, "has it open"],
  [{ pid: process.ppid, started: null }, `process ${process.ppid} has it open`],
  [{ host: "elsewhere", pid: 1 }, "process 1 of elsewhere"],
  [{ namespace: "pid:[1]", pid: 2 ** 22 + 1 }, "cannot be told from here"],
])("lockFolder() leaves the folder to a holder that lives or may live: %j", (holder, said) => {
  hold(holder);
  expect(() => lockFolder(folder)).toThrow(said);
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: "memory_locked" }));
  expect(readdirSync(folder)).toEqual(["lock.7"]);
});

test.each(["", "{", "null", "[]", '{"pid":"1","host":"a"}', '{"pid":-1,"host":"a"}'])(
  "lockFolder() leaves the folder when the holder cannot be read: %j",
  (text) => {
    writeFileSync(join(folder, "lock.7"), text);
    expect(() => lockFolder(folder)).toThrow("or delete lock.7");
  },
);

test("lockFolder() takes over from a holder it cannot tell of when told to, never from one that lives", () => {
  hold({ host: "elsewhere" });
  lockFolder(folder, { takeOver: true }).release();
  expect(readdirSync(folder)).toEqual(["lock.8"]);
  rmSync(join(folder, "lock.8"));
  hold({});
  expect(() => lockFolder(folder, { takeOver: true })).toThrow("has it open");
});

test("lockFolder() names no path in its errors", () => {
  hold({ host: "elsewhere" });
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ message: expect.not.stringContaining(folder) }));
});

test("lockFolder() never has two holders, though many processes take it, release it and are killed holding it", async () => {
  const log = join(folder, "log");
  const locked = join(folder, "locked");
  writeFileSync(log, "");
  const children = Array.from({ length: 6 }, () =>
    startChild(new URL("../../test/take-lock.ts", import.meta.url), locked, log, "60"),
  );
  await Promise.all(children.map(({ ended }) => ended));
  const steps = readFileSync(log, "utf8").trim().split("\n");
  let holder: string | undefined;
  for (const step of steps) {
    if (step.startsWith("+")) expect(holder).toBeUndefined();
    else expect(step.slice(1)).toBe(holder);
    holder = step.startsWith("+") ? step.slice(1) : undefined;
  }
  expect(steps.length).toBeGreaterThan(12);
  expect(new Set(steps).size).toBeGreaterThan(2);
  lockFolder(locked).release();
});
