/* oxlint-disable unicorn/prefer-add-event-listener -- a transport is no event target */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { LineTransport } from "./line-transport.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" } as const;
const json = JSON.stringify;

async function start(maxMessageBytes = 10_000) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport({ input, output, maxMessageBytes });
  const [messages, errors]: [JSONRPCMessage[], string[]] = [[], []];
  transport.onmessage = (message) => messages.push(message);
  transport.onerror = ({ message }) => errors.push(message);
  await transport.start();
  onTestFinished(() => transport.close());
  const answers = (): unknown[] =>
    String(output.read() ?? "")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  return { input, output, transport, messages, errors, answers };
}

/** Sends these bytes and a ping; both were read when the ping was. */
async function send(bytes: string | Buffer) {
  const side = await start();
  side.input.write(bytes);
  side.input.write(`\n${json({ ...PING, id: "last" })}\n`);
  await expect.poll(() => side.messages.at(-1)).toEqual({ ...PING, id: "last" });
  return { ...side, messages: side.messages.slice(0, -1), answers: side.answers() };
}

const READ: Readonly<Record<string, readonly [string | Buffer, readonly unknown[]]>> = {
  "a line with CRLF": [`${json(PING)}\r`, [PING]],
  "empty lines": ["\n\r\n  \n", []],
  "a member that JSON-RPC does not know": [json({ ...PING, trace: 1 }), [PING]],
  "a notification": [json({ jsonrpc: "2.0", method: "x" }), [{ jsonrpc: "2.0", method: "x" }]],
  "progress wanted": [
    json({ ...PING, params: { _meta: { progressToken: 5 } } }),
    [{ ...PING, params: { _meta: { progressToken: 5 } } }],
  ],
  "an answer": [json({ jsonrpc: "2.0", id: 0, result: {}, x: 1 }), [{ jsonrpc: "2.0", id: 0, result: {} }]],
  "an answer without a code": [
    json({ jsonrpc: "2.0", id: 0, error: { message: "no" } }),
    [{ jsonrpc: "2.0", id: 0, error: { code: -32_600, message: "no" } }],
  ],
  "an answer with a field twice": [
    '{"jsonrpc":"2.0","id":4,"result":{"a":1,"a":2}}',
    [
      {
        jsonrpc: "2.0",
        id: 4,
        error: { code: -32_602, message: expect.stringContaining("result.a: the field was sent") },
      },
    ],
  ],
};

/** Bytes that are no UTF-8, in a text of a call. */
const spoilt = (...bytes: number[]): Buffer =>
  Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'),
    Buffer.of(...bytes),
    Buffer.from('"}}'),
  ]);

/** Each is answered, so that no client waits for ever: the id and the code of the answer. */
const REFUSED: Readonly<Record<string, readonly [string | Buffer, unknown, number]>> = {
  "bytes that are in no UTF-8": [spoilt(0xff, 0xc0), null, -32_700],
  "a character that is cut off": [spoilt(0xe2, 0x82), null, -32_700],
  "half a pair of UTF-16": [spoilt(0xed, 0xa0, 0x80), null, -32_700],
  "a character in too many bytes": [spoilt(0xc0, 0xaf), null, -32_700],
  "half a message": ['{"jsonrpc":"2.0","id":7,"method":', null, -32_700],
  "no JSON": ["hello", null, -32_700],
  "a zero byte": [`\0${json(PING)}`, null, -32_700],
  "a byte order mark": [`\uFEFF${json(PING)}`, null, -32_700],
  "two messages on one line": [`${json(PING)}\r${json(PING)}`, null, -32_700],
  "a batch": [json([PING, PING]), null, -32_600],
  "an empty batch": ["[]", null, -32_600],
  null: ["null", null, -32_600],
  "no method": [json({ jsonrpc: "2.0", id: 9 }), 9, -32_600],
  "a number for a method": [json({ ...PING, method: 5 }), 1, -32_600],
  "no version": [json({ id: 9, method: "ping" }), 9, -32_600],
  "an id that is null": [json({ ...PING, id: null }), null, -32_600],
  "an id that is an object": [json({ ...PING, id: { a: 1 } }), null, -32_600],
  "an id that is a fraction": [json({ ...PING, id: 1.5 }), null, -32_600],
  "an id without an end": ['{"jsonrpc":"2.0","id":1e999,"method":"ping"}', null, -32_602],
  "a field twice": ['{"jsonrpc":"2.0","id":9,"method":"ping","params":{"arguments":{"a":1,"\\u0061":2}}}', 9, -32_602],
  "an integer that loses digits": [
    '{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":9007199254740993}}',
    9,
    -32_602,
  ],
  "a field __proto__": ['{"jsonrpc":"2.0","id":9,"method":"ping","params":{"__proto__":{}}}', 9, -32_602],
  "two ids": ['{"jsonrpc":"2.0","id":9,"method":"ping","id":8}', null, -32_602],
  "a list for params": [json({ ...PING, params: [1] }), 1, -32_600],
  "a text for _meta": [json({ ...PING, params: { _meta: "x" } }), 1, -32_600],
  "an object for a progress token": [json({ ...PING, params: { _meta: { progressToken: {} } } }), 1, -32_600],
  "a message that is too long": [json({ ...PING, id: "long", params: { a: "x".repeat(10_000) } }), "long", -32_600],
};

/** An answer that answers an answer could go on for ever. */
const IGNORED: Readonly<Record<string, string>> = {
  "an error that belongs to no request": json({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "no" } }),
  "an answer that is none": json({ jsonrpc: "2.0", id: 4, result: 5 }),
  "a notification with a field twice": '{"jsonrpc":"2.0","method":"x","params":{"a":1,"a":2}}',
  "a notification with wrong params": json({ jsonrpc: "2.0", method: "x", params: [1] }),
};

describe("LineTransport", () => {
  test.each(Object.entries(READ))("reads %s", async (_, [bytes, wanted]) => {
    const { messages, answers } = await send(bytes);
    expect(messages).toEqual(wanted);
    expect(answers).toEqual([]);
  });

  test.each(Object.entries(REFUSED))("answers %s with an error", async (_, [bytes, id, code]) => {
    const { messages, answers, errors } = await send(bytes);
    expect(messages).toEqual([]);
    expect(answers).toEqual([
      { jsonrpc: "2.0", id, error: { code, message: expect.stringMatching(/^Cannot read the request: /) } },
    ]);
    expect(errors).toHaveLength(1);
  });

  test.each(Object.entries(IGNORED))("does not answer %s", async (_, bytes) => {
    const { messages, answers, errors } = await send(bytes);
    expect([messages, answers, errors.length]).toEqual([[], [], 1]);
  });

  test("reads a deep message without the stack", async () => {
    const params = JSON.parse(`{"a":${"[".repeat(1_000)}${"]".repeat(1_000)}}`) as object;
    expect((await send(json({ ...PING, params }))).messages).toEqual([{ ...PING, params }]);
  });

  test("stops reading from a client that does not read", async () => {
    const { input, output, transport, messages } = await start();
    const big = { jsonrpc: "2.0", id: 1, result: { text: "x".repeat(1_000_000) } } as const;
    transport.onmessage = (message) => {
      messages.push(message);
      void transport.send(big);
    };
    for (let at = 0; at < 200; at += 1) input.write(`${json(PING)}\n`);
    // In pieces: what was read at once is answered at once.
    await expect.poll(() => input.isPaused()).toBe(true);
    for (let at = 0; at < 200; at += 1) input.write(`${json(PING)}\n`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(messages.length).toBeLessThan(250);
    output.resume();
    await expect.poll(() => messages.length).toBe(400);
  });

  test("ends with its input, and a failing output ends it", async () => {
    type Side = Awaited<ReturnType<typeof start>>;
    for (const end of [
      ({ input }: Side) => input.end(),
      ({ input }: Side) => input.destroy(),
      ({ output }: Side) => output.destroy(new Error("EPIPE")),
    ]) {
      const side = await start();
      const closed = new Promise<void>((resolve) => (side.transport.onclose = resolve));
      end(side);
      await closed;
      await expect(side.transport.send(PING)).rejects.toThrow("The connection is closed");
      await side.transport.close();
    }
  });

  test("reads the last line without its end", async () => {
    const { input, messages } = await start();
    input.end(json(PING));
    await once(input, "end");
    expect(messages).toEqual([PING]);
  });
});
