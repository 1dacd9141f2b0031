import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { serveMcp } from "./index.ts";

const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/** A client that writes messages as they are. */
async function connect() {
  const state = { ran: 0, finish: (_text: string) => {} };
  const build = defineTool({
    name: "build",
    description: "Builds.",
    parameters: { type: "object", properties: {} },
    execute: () => ((state.ran += 1), new Promise<string>((resolve) => (state.finish = resolve))),
  });
  const [client, server] = InMemoryTransport.createLinkedPair();
  const answers: (JSONRPCMessage & { readonly id?: unknown })[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  client.onmessage = (message) => answers.push(message);
  await client.start();
  const serving = await serveMcp(createToolRegistry().register(build), { transport: server });
  onTestFinished(() => serving.close());
  const send = (message: object) => client.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
  const request = (id: unknown, method: string, params: object = {}) => send({ id, method, params });
  const answer = async (id: unknown) => {
    await expect.poll(() => answers.some((one) => one.id === id)).toBe(true);
    return answers.splice(
      answers.findIndex((one) => one.id === id),
      1,
    )[0];
  };
  const initialize = async (protocolVersion: string) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    await request("begin", "initialize", params);
    expect(await answer("begin")).toMatchObject({ result: { protocolVersion } });
  };
  return { state, answers, send, request, answer, initialize };
}

test.each(LEGACY)("a client of %s gets no tools and runs none before the handshake", async (revision) => {
  const { state, request, answer, initialize } = await connect();
  await request(1, "tools/call", { name: "build", arguments: {} });
  await request(2, "tools/list");
  await request(3, "ping");
  expect(await answer(1)).toMatchObject({ error: { code: -32_600, message: expect.stringContaining("initialize") } });
  expect(await answer(2)).toMatchObject({ error: { code: -32_600, message: expect.stringContaining("initialize") } });
  expect(await answer(3)).toMatchObject({ result: {} });
  expect(state.ran).toBe(0);
  await initialize(revision);
  await request(1, "tools/list");
  expect(await answer(1)).toMatchObject({ result: { tools: [{ name: "build" }] } });
});

test.each(LEGACY)("a client of %s shakes hands once", async (revision) => {
  const { request, answer, initialize } = await connect();
  await request("bad", "initialize", { protocolVersion: 7 });
  expect(await answer("bad")).toMatchObject({ error: {} });
  await initialize(revision);
  for (const protocolVersion of [revision, "2024-11-05", 7]) {
    const params = { protocolVersion, capabilities: { elicitation: {} }, clientInfo: { name: "other", version: "2" } };
    await request("again", "initialize", params);
    expect(await answer("again")).toMatchObject({
      error: { code: -32_600, message: "Cannot read the request: this connection was initialized already" },
    });
  }
  await request(1, "tools/list");
  expect(await answer(1)).toMatchObject({ result: { tools: [{ name: "build" }] } });
});

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

test.each([...LEGACY, "2026-07-28"])("an id of a client of %s that is in use is refused", async (revision) => {
  const { state, answers, send, request, answer, initialize } = await connect();
  const isModern = revision === "2026-07-28";
  if (!isModern) await initialize(revision);
  const _meta = isModern ? { _meta: META } : {};
  const call = (id: unknown) => request(id, "tools/call", { name: "build", arguments: {}, ..._meta });
  for (const id of [1, "1", "", 0]) {
    await call(id);
    await expect.poll(() => state.ran).toBe(1);
    for (const again of ["tools/call", "tools/list", "ping"]) {
      await request(id, again, { name: "build", arguments: {}, ..._meta });
      expect(await answer(null)).toMatchObject({ error: { code: -32_600, message: expect.stringContaining("id") } });
    }
    expect(answers).toEqual([]);
    expect(state.ran).toBe(1);
    state.finish("built");
    expect(await answer(id)).toMatchObject({ result: { content: [{ text: "built" }] } });
    state.ran = 0;
  }
  // A cancelled request is never answered, so its id is free.
  await call(5);
  await expect.poll(() => state.ran).toBe(1);
  await send({ method: "notifications/cancelled", params: { requestId: 5, ..._meta } });
  await call(5);
  await expect.poll(() => state.ran).toBe(2);
  state.finish("built");
  expect(await answer(5)).toMatchObject({ result: { content: [{ text: "built" }] } });
  expect(answers).toEqual([]);
});
