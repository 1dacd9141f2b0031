import { openMemory, type Memory } from "@dispatch/tool-memory";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHistory } from "./block-history.ts";

let memory: Memory;
beforeAll(async () => {
  memory = await openMemory(":memory:");
});
afterAll(() => memory.close());

test("blockHistory() shows whole lines for every change, of blocks that are gone too", async () => {
  const { admin } = memory;
  const write = (content: string) => admin.write({ label: "a", content });
  await write("one\ntwo\nthree");
  await write("one\ntoo\nthree");
  await admin.move("a", { tier: "archival", reason: "old" });
  const there = blockHistory(await admin.get("a"), await admin.history("a"));
  expect(there.map(({ kind, diff, moved }) => [kind, diff, moved])).toEqual([
    ["moved", [], expect.stringContaining("working → archival")],
    ["edited", [" one", "-two", "+too", " three"], ""],
    ["created", ["+one", "+two", "+three"], ""],
  ]);
  await admin.remove("a");
  const gone = blockHistory(await admin.get("a"), await admin.history("a"));
  expect(gone.map(({ kind, diff }) => [kind, diff])).toEqual([
    ["removed", ["-one", "-too", "-three"]],
    ...there.map(({ kind, diff }) => [kind, diff]),
  ]);
});
