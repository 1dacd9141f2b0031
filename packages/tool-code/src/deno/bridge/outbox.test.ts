import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Outbox } from "./outbox.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("Outbox", () => {
  test("writes the messages that come in one go together, and tells each that it has left", async () => {
    const [writes, left]: [string[], string[]] = [[], []];
    const outbox = new Outbox((text, sent) => {
      writes.push(text);
      queueMicrotask(sent);
    });
    outbox.post("a", () => left.push("a"));
    await Promise.resolve();
    outbox.post("b", () => left.push("b"));
    expect(writes).toEqual([]);
    await turn();
    outbox.post("c", () => left.push("c"));
    await turn();
    expect([writes, left]).toEqual([
      ["a\nb", "c"],
      ["a", "b", "c"],
    ]);
  });

  test("does not wait when there is much to write", () => {
    const writes: number[] = [];
    const outbox = new Outbox((text) => writes.push(text.length));
    outbox.post("a", () => undefined);
    outbox.post("x".repeat(100_000), () => undefined);
    expect(writes).toEqual([100_002]);
  });

  test("writes every message once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(70_000), fc.boolean()), { maxLength: 30 }), async (messages) => {
        const [writes, left]: [string[], number[]] = [[], []];
        const outbox = new Outbox((text, sent) => {
          writes.push(text);
          sent();
        });
        for (const [at, [size, pauses]] of messages.entries()) {
          outbox.post(`${at}:`.padEnd(size, "x"), () => left.push(at));
          if (pauses) await turn();
        }
        await turn();
        const lines = messages.length === 0 ? [] : writes.join("\n").split("\n");
        expect(lines.map((line) => Number.parseInt(line, 10))).toEqual([...messages.keys()]);
        expect(left).toEqual([...messages.keys()]);
      }),
      { numRuns: 50 },
    );
  });
});
