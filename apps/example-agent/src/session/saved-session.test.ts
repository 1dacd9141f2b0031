import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  appendFileSync,
  copyFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolRegistry, defineTool, success } from "@dispatch/tools-interface";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../agent/conversation.ts";
import type { Session } from "../agent/session.ts";
import { createSavedSession, resumeSession } from "./saved-session.ts";

const START = { model: "scripted", workspace: "/somewhere" };
const picture = { type: "image", data: "aW1n", mimeType: "image/png" } as const;
const show = defineTool({
  name: "show",
  description: "Shows.",
  parameters: { type: "object", properties: {} },
  execute: () => success("a picture", { content: [picture], data: { width: 1 }, metadata: { big: 1n } }),
});
const registry = createToolRegistry().register(show);

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), "sessions-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const fileOf = (id: string | undefined): string => path.join(directory, `${id}.jsonl`);

/** A turn with two calls, of which the process may not see the second end. */
async function begin(callsDone: 0 | 1 | 2): Promise<Session> {
  const session = createSavedSession(directory, START);
  const calls = [
    { id: "a", name: "show", arguments: {} },
    { id: "b", name: "show", arguments: '{"x":1}' },
  ];
  session.add({ role: "user", text: "Zeig's mir: ä\n" });
  session.add({ role: "assistant", text: "Two pictures.", calls, usage: { input: 1, cached: 0, output: 2 } });
  const results = await registry.dispatchAll(calls.slice(0, callsDone), { transcript: session.transcript });
  if (callsDone === 2) {
    session.add({ role: "tool", results });
    session.add({ role: "assistant", text: "There.", calls: [] });
  }
  return session;
}

/** The order that a provider accepts: right after an answer with calls, one result for each. */
function expectValid(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant" || message.calls.length === 0) continue;
    const next = messages[index + 1];
    expect(next?.role === "tool" && next.results.length).toBe(message.calls.length);
  }
}

describe("resumeSession()", () => {
  test("gives back all of a session that ended by itself", async () => {
    const session = await begin(2);
    session.close();
    const { session: again, start } = await resumeSession(directory, session.id ?? "");
    expect(start).toMatchObject(START);
    // Metadata is the host's, and JSON cannot hold this one.
    const plain = (messages: readonly Message[]): unknown =>
      JSON.parse(JSON.stringify(messages, (key, value: unknown) => (key === "metadata" ? {} : value)));
    expect(plain(again.messages)).toEqual(plain(session.messages));
    expect(again.transcript.entries).toHaveLength(2);
    again.close();
  });

  test.each([0, 1] as const)("closes calls that were running, once, when %i of two had ended", async (done) => {
    const session = await begin(done);
    session.close();
    const first = await resumeSession(directory, session.id ?? "");
    const last = first.session.messages.at(-1);
    const results = last?.role === "tool" ? last.results : [];
    expect(results.map((result) => (result.success ? "shown" : result.code))).toEqual(
      ["shown", "shown"].fill("interrupted", done),
    );
    first.session.close();
    const size = statSync(fileOf(session.id)).size;
    const second = await resumeSession(directory, session.id ?? "");
    expect(second.session.messages).toHaveLength(3);
    second.session.close();
    expect(statSync(fileOf(session.id)).size).toBe(size);
  });

  test("is valid wherever the file was cut off, and can be gone on with", async () => {
    const whole = await begin(2);
    whole.close();
    const size = statSync(fileOf(whole.id)).size;
    const header = readFileSync(fileOf(whole.id)).indexOf("\n") + 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: header, max: size }), async (length) => {
        copyFileSync(fileOf(whole.id), fileOf("cut"));
        truncateSync(fileOf("cut"), length);
        const { session } = await resumeSession(directory, "cut");
        expectValid(session.messages);
        session.add({ role: "user", text: "Go on" });
        session.close();
        const { session: again } = await resumeSession(directory, "cut");
        expectValid(again.messages);
        expect(again.messages.at(-1)).toEqual({ role: "user", text: "Go on" });
        again.close();
      }),
    );
  });

  test.each(["toolu_01A09q90qw9", "call_", "k"])(
    "keeps the results of every turn, with ids such as %s1",
    async (prefix) => {
      const session = createSavedSession(directory, START);
      for (let turn = 0; turn < 4; turn += 1) {
        session.add({ role: "user", text: `Turn ${turn}` });
        const calls = Array.from({ length: 4 - turn }, (_, at) => ({
          id: `${prefix}${turn}${at}`,
          name: "show",
          arguments: {},
        }));
        session.add({ role: "assistant", text: "", calls });
        const results = await registry.dispatchAll(calls, { transcript: session.transcript });
        session.add({ role: "tool", results });
      }
      session.close();
      const size = statSync(fileOf(session.id)).size;
      const { session: again } = await resumeSession(directory, session.id ?? "");
      const results = again.messages.flatMap((message) => (message.role === "tool" ? message.results : []));
      expect(results.map(({ success: isShown }) => isShown)).toEqual(Array.from({ length: 10 }, () => true));
      expect(again.transcript.entries).toHaveLength(10);
      again.close();
      expect(statSync(fileOf(session.id)).size).toBe(size);
    },
  );

  test("refuses a file that something else has written to, and one of another version", async () => {
    const session = await begin(1);
    appendFileSync(fileOf(session.id), "oops\n");
    await expect(resumeSession(directory, session.id ?? "")).rejects.toThrow(
      "Cannot read the session: line 5 is no JSON",
    );
    session.close();
    writeFileSync(fileOf("old"), '{"version":0}\n');
    await expect(resumeSession(directory, "old")).rejects.toThrow(
      "Cannot resume old: it is no session of this version",
    );
  });
});

describe("createSavedSession()", () => {
  test("writes each message before it returns, for the owner's eyes alone", () => {
    const session = createSavedSession(directory, START);
    session.add({ role: "user", text: "hello" });
    expect(readFileSync(fileOf(session.id), "utf8")).toContain('{"message":{"role":"user","text":"hello"}}\n');
    expect(statSync(fileOf(session.id)).mode & 0o777).toBe(0o600);
    session.close();
  });
});
