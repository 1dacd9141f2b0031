import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineReader, type LongMessage } from "./line-transport.ts";

/** The passed and the omitted bytes of an input in such pieces. */
function limit(text: string, maxBytes: number, pieceBytes: number): { passed: string; long: LongMessage[] } {
  const long: LongMessage[] = [];
  const passed: string[] = [];
  const reader = new LineReader(maxBytes, {
    onLine: (line) => passed.push(line.toString()),
    onLong: (message) => long.push(message),
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.read(bytes.subarray(at, at + pieceBytes));
  reader.end();
  return { passed: passed.join(""), long };
}

describe("LineReader", () => {
  test("leaves out what is too long, whatever the pieces, and reads the id wherever it stands", () => {
    const json = fc.json({ maxDepth: 3 });
    const id = fc.oneof(fc.integer(), fc.string({ maxLength: 40 }));
    const line = fc.tuple(json, id, fc.boolean()).map(([params, key, isFirst]) => {
      const inner = { params: { id: "no", nested: [{ id: 5 }], params }, method: 'a"id":7' };
      return [JSON.stringify(isFirst ? { id: key, ...inner } : { ...inner, id: key }), key] as const;
    });
    fc.assert(
      fc.property(
        fc.array(line),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 60, max: 200 }),
        (lines, piece, max) => {
          const text = lines.map(([one]) => `${one}\n`).join("");
          const { passed, long } = limit(text, max, piece);
          const isLong = ([one]: readonly [string, unknown]): boolean => Buffer.byteLength(one) + 1 > max;
          expect(passed).toBe(
            lines
              .filter((one) => !isLong(one))
              .map(([one]) => `${one}\n`)
              .join(""),
          );
          expect(long).toEqual(
            lines.filter(isLong).map(([one, key]) => ({ id: key, bytes: Buffer.byteLength(one) + 1 })),
          );
        },
      ),
    );
  });

  test.each([
    ['{"id":', undefined],
    ['{"id":{"id":1},"x":"', undefined],
    ['[{"id":1}]', undefined],
    ['}}}{"id":1}', undefined],
    ["x", undefined],
    [`{"id":"${"y".repeat(300)}"}`, undefined],
    ['{"id":null}', undefined],
    ['{ "id" : 12 , "a" : [1,2] }', 12],
  ])("reads the id of %s", (start, id) => {
    const { passed, long } = limit(`${start}${" ".repeat(400)}\nshort\n`, 100, 7);
    expect(passed).toBe("short\n");
    expect(long.map((message) => message.id)).toEqual([id]);
  });

  test("ends with a message that has no end", () => {
    expect(limit("x".repeat(1000), 100, 10)).toEqual({ passed: "", long: [{ id: undefined, bytes: 1000 }] });
  });
});
