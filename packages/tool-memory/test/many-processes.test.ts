import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMemory } from "../src/memory/open-memory.ts";
import { checkMixed } from "./check-mixed.ts";
import { startChild } from "./child.ts";
import { createDatabase, serverUrls } from "./engines.ts";

const openOften = new URL("./open-often.ts", import.meta.url);
const writeMixed = new URL("./write-mixed.ts", import.meta.url);

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "many-processes-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function writeFrom(url: string, processes: number, writes: number): Promise<readonly string[]> {
  const children = Array.from({ length: processes }, (_, n) => startChild(writeMixed, url, `${n}`, `${writes}`));
  await Promise.all(children.map(({ ended }) => ended));
  expect(children.map(({ lines }) => lines.at(-1))).toEqual(Array(processes).fill("DONE"));
  return children.flatMap(({ lines }) => lines);
}

test("three processes that write to one directory lose no update of one another", async () => {
  const url = join(root, "together");
  const { lost, found } = await checkMixed(url, await writeFrom(url, 3, 60));
  expect(lost).toBe(0);
  expect(found).toBeGreaterThan(60);
});

// Closing any handle of a file ends all locks of the process on it: one process then removed the log of another.
const openings = process.env["DISPATCH_TEST_SEED"] === "random" ? 30 : 12;
test("four processes that open, write to and close one directory again and again lose nothing", async () => {
  const url = join(root, "again");
  const children = ["a", "b", "c", "d"].map((name) => startChild(openOften, url, name, `${openings}`));
  await Promise.all(children.map(({ ended }) => ended));
  expect(children.map(({ lines }) => lines)).toEqual(children.map(() => ["DONE"]));
  const { manager, admin, close } = await openMemory(url);
  expect((await manager.list()).length).toBe(4 * openings);
  expect(await admin.verify()).toMatchObject({ ok: true });
  await close();
});

test.each(serverUrls.map((server, n) => ({ name: `server ${n + 1}`, server })))(
  "three processes that write to $name lose no update of one another",
  async ({ server }) => {
    const { url, drop } = await createDatabase(server);
    try {
      const { lost, found } = await checkMixed(url, await writeFrom(url, 3, 60));
      expect(lost).toBe(0);
      expect(found).toBeGreaterThan(60);
    } finally {
      await drop();
    }
  },
  120_000,
);

// The race for the table of vectors once ended for most of them with "already exists".
test.each(serverUrls.map((server, n) => ({ name: `server ${n + 1}`, server })))(
  "all get in that open a new database of $name at the same time",
  async ({ server }) => {
    const { url, drop } = await createDatabase(server);
    try {
      const opened = await Promise.all(Array.from({ length: 12 }, () => openMemory(url, { connections: 2 })));
      const done = await Promise.all(
        opened.map(({ manager }, n) => manager.write({ label: `at ${n}`, content: "in" })),
      );
      expect(new Set(done.map(({ outcome }) => outcome))).toEqual(new Set(["applied"]));
      await Promise.all(opened.map(({ close }) => close()));
    } finally {
      await drop();
    }
  },
  120_000,
);

test("processes that are killed one after the other lose nothing that was acknowledged", async () => {
  const url = join(root, "killed");
  const ended: string[] = [];
  const start = (n: number) => startChild(writeMixed, url, `${n}`);
  let children = [start(0), start(1)];
  for (let round = 2; round < 6; round++) {
    const [oldest, other] = children as [(typeof children)[0], (typeof children)[0]];
    await Promise.race([oldest.printed(20), oldest.ended]);
    oldest.process.kill("SIGKILL");
    await oldest.ended;
    ended.push(...oldest.lines);
    await other.printed(other.lines.length + 2);
    children = [other, start(round)];
  }
  for (const child of children) child.process.kill("SIGKILL");
  await Promise.all(children.map((child) => child.ended));
  const { lost, found } = await checkMixed(url, [...ended, ...children.flatMap(({ lines }) => lines)]);
  expect(lost).toBe(0);
  expect(found).toBeGreaterThan(20);
});
