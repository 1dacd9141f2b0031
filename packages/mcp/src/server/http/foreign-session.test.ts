import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serveMcp } from "../index.ts";

const TOKEN = "a-token-for-tests-only";
const state = { deployed: 0, finish: () => {}, cancelled: 0 };
let url = "";

beforeEach(async () => {
  Object.assign(state, { deployed: 0, cancelled: 0 });
  const registry = createToolRegistry().register([
    defineTool({
      name: "deploy",
      description: "Deploys.",
      parameters: { type: "object", properties: {} },
      needsApproval: true,
      execute: () => `deployed ${(state.deployed += 1)}`,
    }),
    defineTool({
      name: "build",
      description: "Builds.",
      parameters: { type: "object", properties: {} },
      async execute(_, { signal }) {
        signal.addEventListener("abort", () => (state.cancelled += 1));
        await new Promise<void>((resolve) => (state.finish = resolve));
        return "built";
      },
    }),
  ]);
  const serving = await serveMcp(registry, { transport: { port: 0, token: TOKEN } });
  url = serving.url ?? "";
  onTestFinished(() => serving.close());
});

function send(session: string | undefined, message: object | undefined, more: object = {}): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${TOKEN}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...(session !== undefined && { "Mcp-Session-Id": session }),
    ...more,
  };
  return message === undefined
    ? fetch(url, { headers })
    : fetch(url, { method: "POST", headers, body: JSON.stringify(message) });
}

const request = (id: number | string, method: string, params: object = {}): object => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

async function begin(protocolVersion = "2025-11-25"): Promise<string> {
  const params = {
    protocolVersion,
    capabilities: { elicitation: {} },
    clientInfo: { name: "raw", version: "1" },
  };
  const response = await send(undefined, request(1, "initialize", params));
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

/** Reads a stream on until a line holds this text, or to its end. */
function reading(response: Response): (wanted: string) => Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return async (wanted) => {
    for (let text = ""; ;) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: "" };
      if (done === true) return text;
      text += value;
      if (text.includes(wanted) && text.endsWith("\n\n")) return text;
    }
  };
}

const yes = { action: "accept", content: { approve: true } };

describe("a client of another session", () => {
  test("answers no question, cancels no call and resumes no stream, though it guesses every id", async () => {
    const [own, other] = [await begin(), await begin()];
    const read = reading(await send(own, request("call", "tools/call", { name: "deploy" })));
    const [, event = ""] = /^id: (\S+)$/m.exec(await read("elicitation/create")) ?? [];
    for (const id of [0, 1, 2, "0", "call"]) {
      await send(other, { jsonrpc: "2.0", id, result: yes });
      await send(other, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    }
    expect((await send(other, undefined, { "Last-Event-ID": event })).status).toBe(400);
    expect(state.deployed).toBe(0);
    await send(own, { jsonrpc: "2.0", id: 0, result: yes });
    expect(await read("deployed")).toContain("deployed 1");
  });

  test.each([
    ["a text", { approve: "true" }],
    ["a number", { approve: 1 }],
    ["a list", { approve: [true] }],
    ["nothing", {}],
    ["a prototype", JSON.parse('{"__proto__":{"approve":true}}') as object],
  ])("approves nothing by %s in place of a yes", async (_, content) => {
    const own = await begin();
    const read = reading(await send(own, request(2, "tools/call", { name: "deploy" })));
    await read("elicitation/create");
    await send(own, { jsonrpc: "2.0", id: 0, result: { action: "accept", content } });
    expect(await read('"isError":true')).toContain("was not approved");
    expect(state.deployed).toBe(0);
  });
});

describe("a session", () => {
  test("cannot be chosen, taken over by a handshake or named twice", async () => {
    const own = await begin();
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const chosen = await send("11111111-1111-4111-8111-111111111111", request(1, "initialize", params));
    expect(chosen.status).toBe(404);
    expect((await send(own, request(2, "initialize", params))).status).toBe(400);
    expect((await send(`${own}, ${own}`, request(3, "ping"))).status).toBe(404);
  });

  test("answers each request once, also when ids come twice", async () => {
    const own = await begin("2025-03-26");
    const first = await send(own, request(7, "tools/call", { name: "build" }));
    for (const twice of [request(7, "ping"), [request(8, "ping"), request(8, "tools/list")]]) {
      const refused = await send(own, twice);
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain("another request with this id is being answered");
    }
    state.finish();
    expect(await first.text()).toContain("built");
    // It is free again.
    expect(await (await send(own, request(7, "ping"))).text()).toContain('"result":{}');
    expect(await (await send(own, [request(8, "ping"), request(9, "ping")])).text()).toContain('"id":9');
  });

  test.each([{}, { "MCP-Protocol-Version": "2025-11-25" }])(
    "ends the stream of a cancelled call %j",
    async (header) => {
      const own = await begin();
      // More than the server has connections: a client that kept one for each would keep out all others.
      for (let id = 2; id < 120; id += 1) {
        const call = await send(own, request(id, "tools/call", { name: "build" }), header);
        const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
        expect((await send(own, cancel, header)).status).toBe(202);
        expect(await call.text()).not.toContain("result");
        state.finish();
      }
      expect(state.cancelled).toBe(118);
    },
  );

  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"])(
    "takes a batch only where its revision has batches: %s",
    async (revision) => {
      const own = await begin(revision);
      for (const header of [{}, { "MCP-Protocol-Version": revision }, { "MCP-Protocol-Version": "2025-03-26" }]) {
        const answer = await send(own, [request(8, "ping"), request("9", "ping")], header);
        const text = await answer.text();
        expect([answer.status, text.includes("batch")]).toEqual(revision === "2025-03-26" ? [200, false] : [400, true]);
        expect((await send(own, [], header)).status).toBe(400);
        expect((await send(own, request(8, "ping"), header)).status).toBe(200);
      }
    },
  );

  test("is not begun by a batch", async () => {
    const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    for (const headers of [{}, { "MCP-Protocol-Version": "2025-03-26" }, { "MCP-Protocol-Version": "2026-07-28" }]) {
      for (const batch of [[], [request(1, "initialize", params)], [request(1, "tools/list")]])
        expect((await send(undefined, batch, headers)).status).toBe(400);
    }
  });

  test("goes on with a call whose connection broke", async () => {
    const own = await begin();
    const response = await send(own, request(7, "tools/call", { name: "build" }), {
      "MCP-Protocol-Version": "2025-11-25",
    });
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const [, event = ""] = /^id: (\S+)$/m.exec(new TextDecoder().decode(value)) ?? [];
    await reader?.cancel();
    // The server notices the end of a connection a moment later.
    const resume = (): Promise<Response> => send(own, undefined, { "Last-Event-ID": event });
    let rest = await resume();
    for (; rest.status === 409; rest = await resume()) await rest.text();
    state.finish();
    expect(await reading(rest)("built")).toContain("built");
    expect(state.cancelled).toBe(0);
  });
});

test("the head of a stream comes before its first event", async () => {
  const own = await begin();
  const response = await send(own, request(7, "tools/call", { name: "build" }), {
    "MCP-Protocol-Version": "2025-06-18",
  });
  const listening = await send(own, undefined);
  expect([response.status, listening.status]).toEqual([200, 200]);
  await listening.body?.cancel();
  state.finish();
  expect(await response.text()).not.toContain("keepalive");
});
