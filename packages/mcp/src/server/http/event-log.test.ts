import { setTimeout } from "node:timers/promises";
import { defineTool, createToolRegistry } from "@dispatch/tools-interface";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { serveMcp } from "../serve-mcp.ts";
import { EventLog } from "./event-log.ts";

const RETRY_INTERVAL_MS = 10;
const TOKEN = "a-token-for-tests-only";
const message = (text: string) => ({ jsonrpc: "2.0", method: "note", params: { text } }) as const;

async function replayed(log: EventLog, session: object, after: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  await log.storeOf(session).replayEventsAfter(after, {
    send(_, one) {
      sent.push(one);
      return Promise.resolve();
    },
  });
  return sent;
}

describe("EventLog", () => {
  test("replays what came after an event, of its stream and its session alone", async () => {
    const log = new EventLog();
    const [mine, other] = [{}, {}];
    const first = await log.storeOf(mine).storeEvent("a", {} as never);
    await log.storeOf(mine).storeEvent("b", message("another stream"));
    await log.storeOf(other).storeEvent("a", message("another session"));
    await log.storeOf(mine).storeEvent("a", message("one"));
    const last = await log.storeOf(mine).storeEvent("a", message("two"));
    expect(await replayed(log, mine, first)).toEqual([message("one"), message("two")]);
    expect(await replayed(log, mine, last)).toEqual([]);
    expect(await log.storeOf(other).getStreamIdForEventId?.(first)).toBeUndefined();
    await expect(replayed(log, other, first)).rejects.toThrow("forgotten");
    log.forget(mine);
    await expect(replayed(log, mine, first)).rejects.toThrow("forgotten");
  });

  test("forgets the oldest above its limit, and keeps nothing longer than that", async () => {
    const log = new EventLog(10_000);
    const session = {};
    const old = await log.storeOf(session).storeEvent("a", message("old"));
    await log.storeOf(session).storeEvent("a", message("x".repeat(20_000)));
    await expect(replayed(log, session, old)).rejects.toThrow("forgotten");
    const fresh = await log.storeOf(session).storeEvent("a", message("fresh"));
    expect(await replayed(log, session, fresh)).toEqual([]);
  });
});

/** A session over HTTP whose tool `wait` ends when it is let go on. */
async function serve() {
  let goOn = (): void => {};
  let runs = 0;
  const wait = defineTool({
    name: "wait",
    description: "Waits.",
    parameters: { type: "object", properties: {} },
    async execute() {
      runs += 1;
      await new Promise<void>((resolve) => (goOn = resolve));
      return "waited";
    },
  });
  const serving = await serveMcp(createToolRegistry().register(wait), { transport: { port: 0, token: TOKEN } });
  const send = (session: string | undefined, method: "POST" | "GET", more: Record<string, string>, body?: object) =>
    fetch(serving.url ?? "", {
      method,
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": "2025-11-25",
        ...(session !== undefined && { "Mcp-Session-Id": session }),
        ...more,
      },
      ...(body && { body: JSON.stringify({ jsonrpc: "2.0", ...body }) }),
    });
  const begin = async (): Promise<string> => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const response = await send(undefined, "POST", {}, { id: 1, method: "initialize", params });
    await response.text();
    return response.headers.get("mcp-session-id") ?? "";
  };
  return { serving, send, begin, goOn: () => goOn(), runs: () => runs };
}

describe("a stream whose connection broke", () => {
  test("is resumed by its session alone, and the call has run once", async () => {
    // The server learns of the broken connection from the connection, not from a sign of life that it cannot send.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { serving, send, begin, goOn, runs } = await serve();
    const session = await begin();
    const response = await send(session, "POST", {}, { id: 7, method: "tools/call", params: { name: "wait" } });
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    const { value = "" } = await reader.read();
    const [, last = ""] = /^id: (\S+)/m.exec(value) ?? [];
    expect(value).toContain("retry: ");
    await expect.poll(runs).toBe(1);
    await reader.cancel();

    const other = await send(await begin(), "GET", { Accept: "text/event-stream", "Last-Event-ID": last });
    expect(other.status).toBe(400);
    await other.text();
    // The server may learn of the broken connection later than the client.
    let resumed = await send(session, "GET", { Accept: "text/event-stream", "Last-Event-ID": last });
    while (resumed.status === 409) {
      await resumed.text();
      await setTimeout(RETRY_INTERVAL_MS);
      resumed = await send(session, "GET", { Accept: "text/event-stream", "Last-Event-ID": last });
    }
    goOn();
    const rest = await resumed.text();
    expect(rest.match(/waited/g)).toHaveLength(1);
    expect(JSON.parse(/^data: (\{.*)$/m.exec(rest)?.[1] ?? "")).toMatchObject({
      id: 7,
      result: { content: [{ text: "waited" }] },
    });
    const again = await send(session, "GET", { Accept: "text/event-stream", "Last-Event-ID": last });
    expect((await again.text()).match(/waited/g)).toHaveLength(1);
    expect(runs()).toBe(1);
    await serving.close();
  });
});
