import { expect, test } from "vitest";
import { RunningCalls } from "./running-calls.ts";

test("RunningCalls tells what runs, under what, and how far it has come", () => {
  const calls = new RunningCalls();
  const start = (callId: string, name: string, parentCallId?: string): void =>
    calls.start({ type: "call-start", callId, name, parentCallId, arguments: { path: "a.txt" } });
  start("1", "execute_code");
  start("2", "read_file", "1");
  start("3", "odd\u001Bname");
  expect(calls.rows()).toEqual(["execute_code path: a.txt", "  ↳ read_file path: a.txt", "odd�name path: a.txt"]);
  expect([calls.callerOf("2"), calls.callerOf("1"), calls.callerOf("9")]).toEqual([
    "execute_code",
    undefined,
    undefined,
  ]);
  calls.progress("1", { message: "Reading", done: 3, total: 12 });
  calls.waits("2")();
  calls.progress("9", { message: "nobody" });
  expect(calls.rows()[0]).toBe("execute_code Reading 3/12");
  const ended = calls.end("2");
  if (ended?.parent !== undefined) ended.parent.nested += 1;
  calls.end("3");
  expect(calls.rows()).toEqual(["execute_code Reading 3/12, 1 calls"]);
});
