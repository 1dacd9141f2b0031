import { failure, success } from "@dispatch/tools-interface";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compactedMessages, cutPoints, NOTHING_LEFT_OUT } from "./compaction.ts";
import type { Message } from "./conversation.ts";

/** A conversation of turns with this many calls each, 0 for a message of the user. */
function conversationOf(turns: readonly number[]): readonly Message[] {
  const messages: Message[] = [{ role: "user", text: "the task" }];
  for (const [turn, count] of turns.entries()) {
    if (count === 0) {
      messages.push({ role: "assistant", text: "an answer", calls: [] }, { role: "user", text: "go on" });
      continue;
    }
    const ids = Array.from({ length: count }, (_, call) => `${turn}.${call}`);
    messages.push(
      { role: "assistant", text: "", calls: ids.map((id) => ({ id, name: "read", arguments: "{}" })) },
      { role: "tool", results: ids.map((id, at) => (at === 1 ? failure(id.repeat(300)) : success(id.repeat(300)))) },
    );
  }
  return messages;
}

describe("compactedMessages()", () => {
  test("is valid for every provider, whatever is left out", () => {
    const turns = fc.array(fc.nat({ max: 3 }), { maxLength: 8 });
    fc.assert(
      fc.property(turns, fc.nat(), fc.nat(), fc.option(fc.nat(), { nil: undefined }), (shape, cut, results, chars) => {
        const messages = conversationOf(shape);
        const points = cutPoints(messages, 0);
        const from = points[cut % points.length] ?? 0;
        const rest = { summary: "what was", resultsFrom: results % (messages.length + 1) };
        const compaction = { from, ...rest, ...(chars === undefined ? {} : { resultChars: chars }) };
        const sent = compactedMessages(messages, compaction, ({ callId }) => `kept as ${callId}`);
        expect(sent[0]?.role).toBe("user");
        for (const [index, message] of sent.entries()) {
          const before = sent[index - 1];
          const calls = before?.role === "assistant" ? before.calls : [];
          expect(message.role === "tool").toBe(calls.length > 0);
          if (message.role !== "tool") continue;
          expect(message.results).toHaveLength(calls.length);
          // Each note names its own call.
          for (const [at, result] of message.results.entries()) expect(String(result)).toContain(calls[at]?.id);
        }
        expect(sent.at(-1)?.role === "assistant" && from < messages.length).toBe(false);
      }),
    );
  });

  test("says how to read what is left out, keeps short results, and changes nothing else", () => {
    const messages: readonly Message[] = [
      { role: "user", text: "look" },
      { role: "assistant", text: "", calls: [{ id: "1", name: "read", arguments: "{}" }] },
      { role: "tool", results: [success(`first line\n${"x".repeat(500)}`)] },
    ];
    const kept: string[] = [];
    const keep = ({ text }: { readonly text: string }): string => `read_output ${kept.push(text)}`;
    const [, , sent] = compactedMessages(messages, { from: 0, resultsFrom: 3 }, keep);
    expect(sent?.role === "tool" && sent.results.map(String)).toEqual([
      "first line\n[501 characters are left out here to save room. read_output 1]",
    ]);
    expect(kept).toEqual([`first line\n${"x".repeat(500)}`]);
    expect(compactedMessages(messages, NOTHING_LEFT_OUT, keep)).toEqual(messages);
    expect(compactedMessages(messages, { from: 3, resultsFrom: 3 }, keep)).toEqual([]);
  });
});
