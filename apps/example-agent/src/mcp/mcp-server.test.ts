import { createToolRegistry, defineTool, success } from "@dispatch/tools-interface";
import { Client, InMemoryTransport, type CallToolResult } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Approver } from "../supervision/approver.ts";
import { createCatalogues } from "./catalogue.ts";
import { createMcpServer, type McpParts } from "./mcp-server.ts";
import { SuspendedCalls } from "./suspended-calls.ts";

const waitTool = defineTool({
  name: "wait",
  description: "Waits until it is stopped.",
  parameters: z.object({}),
  execute: (_, { signal }) =>
    new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
});
/** As the agent's own questions reach a person. */
const askTool = defineTool({
  name: "ask",
  description: "Asks.",
  parameters: z.object({}),
  context: z.object({ askUser: z.custom<Approver["answer"]>().optional() }),
  async execute(_, { context: { askUser }, signal }) {
    const choices = [{ label: "red" }, { label: "blue" }];
    const answer = await askUser?.({ text: "Which?", choices, several: false, signal });
    return success(String(answer));
  },
});

const warnings: string[] = [];
const clients: Client[] = [];
afterEach(async () => {
  warnings.splice(0);
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

const registryFor = async (canAsk: boolean) => createToolRegistry().register(canAsk ? [waitTool, askTool] : [waitTool]);

async function connect(more: Partial<McpParts>, answer?: Record<string, string>): Promise<Client> {
  const parts: McpParts = {
    steward: Promise.resolve({} as Awaited<McpParts["steward"]>),
    catalogueFor: createCatalogues(registryFor),
    workspace: "/tmp",
    memory: undefined,
    suspended: new SuspendedCalls(),
    load: { calls: 0 },
    log: { say: () => {}, warn: (text) => void warnings.push(text), detail: () => {} },
    ...more,
  };
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: { elicitation: answer === undefined ? { url: {} } : {} } },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: answer }));
  }
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([createMcpServer(parts, "legacy").connect(ours), client.connect(theirs)]);
  clients.push(client);
  return client;
}

const textOf = ({ content }: CallToolResult): string => content.map((part) => ("text" in part ? part.text : "")).join();

describe("createMcpServer()", () => {
  test("tells of questions only clients that can show forms, and passes the answer on", async () => {
    const client = await connect({}, { choice: "blue", other: "or so" });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["wait", "ask"]);
    expect(textOf(await client.callTool({ name: "ask", arguments: {} }))).toBe("blue,or so");
    const mute = await connect({});
    expect((await mute.listTools()).tools.map(({ name }) => name)).toEqual(["wait"]);
    await expect(mute.callTool({ name: "ask", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  });

  test("runs so many calls at the same time, and more once some have ended", async () => {
    const client = await connect({});
    const stop = new AbortController();
    const call = { name: "wait", arguments: {} };
    const running = Array.from({ length: 32 }, () => client.callTool(call, { signal: stop.signal }));
    const ended = Promise.allSettled(running);
    const refused = await client.callTool(call);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe("Cannot run wait now: 32 calls run. Try again later");
    stop.abort("enough");
    await ended;
    await expect
      .poll(() => client.callTool(call, { timeout: 200 }).catch((error: unknown) => String(error)))
      .toMatch(/timed out/i);
  });

  test("says nothing of this machine when the tools cannot be made", async () => {
    const broken = () => Promise.reject(new Error("Cannot open /home/user/memory"));
    const client = await connect({ catalogueFor: createCatalogues(broken) });
    await expect(client.listTools()).rejects.toThrow(/Cannot serve the tools: the server says why on stderr$/);
  });

  test("warns whoever runs it of a client without a directory", async () => {
    const client = await connect({ workspace: undefined });
    await expect(client.listTools()).rejects.toThrow("--workspace");
    expect(warnings).toEqual([expect.stringContaining("names no roots")]);
  });
});
