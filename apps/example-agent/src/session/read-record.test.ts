import { createTranscript, success } from "@dispatch/tools-interface";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSession } from "../agent/session.ts";
import { readRecord } from "./read-record.ts";
import { sessionRecord } from "./session-record.ts";

const entry = {
  callId: "1",
  name: "read_file",
  arguments: { path: "a" },
  result: success("one"),
  startedAt: 5,
  durationMs: 1,
  sequence: 1,
};
const messages = [
  { role: "user", text: "Look" },
  { role: "assistant", text: "", calls: [{ id: "1", name: "read_file", arguments: "{}" }] },
  { role: "tool", results: [success("one")] },
] as const;
const session = { ...createSession(), id: "s", messages, transcript: createTranscript([entry]) };
const whole = JSON.stringify(sessionRecord("scripted", session, { outcome: "done" }), null, 2);
const saved = [
  { version: 1, model: "scripted", workspace: "/w", startedAt: "2026-01-01T00:00:00.000Z" },
  ...messages.filter(({ role }) => role !== "tool").map((message) => ({ message })),
  { call: session.transcript.toJSON()[0] },
  { compaction: session.compaction() },
  { spent: session.spent() },
];
const lines = saved.map((line) => `${JSON.stringify(line)}\n`).join("");

describe("readRecord()", () => {
  test.each([
    ["the output of --json", whole],
    ["a saved session", lines],
    ["a saved session whose last line is not whole", `${lines}{"mess`],
    ["a session that has only begun", lines.slice(0, lines.indexOf("\n") + 1)],
  ])("reads %s", (_, text) => {
    const record = readRecord(text);
    expect(record.model).toBe("scripted");
    if (!text.includes("Look")) return;
    expect(record.messages[0]).toEqual({ role: "user", text: "Look" });
    expect(record.transcript.find("1")).toMatchObject({ name: "read_file", result: { success: true, output: "one" } });
  });

  test("keeps what an entry says of its dropped parts", () => {
    const dropped = lines.replace('"sequence":1', '"sequence":1,"resultDropped":true');
    expect(readRecord(dropped).transcript.find("1")).toMatchObject({ resultDropped: true });
  });

  test.each([
    "",
    "x",
    "{}",
    "[]",
    "null",
    '{"version":1}\n',
    '{"version":2,"model":"x"}\n',
    lines.replace("Look", '"'),
  ])("refuses %j, and says so", (text) => {
    expect(() => readRecord(text)).toThrow(/^Cannot open the file: /);
  });

  test("reads or refuses every damaged file, and throws nothing else", () => {
    fc.assert(
      fc.property(fc.constantFrom(whole, lines), fc.nat(), fc.nat({ max: 40 }), fc.string(), (text, at, length, by) => {
        const from = at % text.length;
        try {
          readRecord(text.slice(0, from) + by + text.slice(from + length));
        } catch (error) {
          expect(String(error)).toContain("Cannot open the file: ");
        }
      }),
    );
  });
});
