import { Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { batchedWriter } from "./batched-writer.ts";

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A stream like a pipe, with the text of each system call. */
function pipe() {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      done();
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => chunk).join(""));
      done();
    },
  });
  return { stream, write: batchedWriter(stream), writes };
}

describe("batchedWriter()", () => {
  test("writes the lines of one tick together, and calls back for each when it has left", async () => {
    const { write, writes } = pipe();
    const left: string[] = [];
    write("a", () => left.push("a"));
    write("b", () => left.push("b"));
    expect([writes, left]).toEqual([[], []]);
    await tick();
    write("c", () => left.push("c"));
    await tick();
    expect([writes, left]).toEqual([
      ["a\nb\n", "c\n"],
      ["a", "b", "c"],
    ]);
  });

  test("does not wait when there is much to write", () => {
    const { write, writes } = pipe();
    write("a", () => undefined);
    write("x".repeat(100_000), () => undefined);
    expect(writes.map((text) => text.length)).toEqual([100_003]);
  });

  test("calls back when the stream is destroyed", async () => {
    const { stream, write } = pipe();
    stream.destroy();
    stream.on("error", () => undefined);
    const left: string[] = [];
    write("a", () => left.push("a"));
    await tick();
    expect(left).toEqual(["a"]);
  });

  test("writes every line once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(70_000), fc.boolean()), { maxLength: 30 }), async (messages) => {
        const { write, writes } = pipe();
        const left: number[] = [];
        for (const [at, [size, pauses]] of messages.entries()) {
          write(`${at}:`.padEnd(size, "x"), () => left.push(at));
          if (pauses) await tick();
        }
        await tick();
        const lines = writes.join("").split("\n").slice(0, -1);
        expect(lines.map((line) => Number.parseInt(line, 10))).toEqual([...messages.keys()]);
        expect(left).toEqual([...messages.keys()]);
      }),
      { numRuns: 50 },
    );
  });
});
