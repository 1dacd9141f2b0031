import { createToolRegistry, defineTool, success } from "@dispatch/tools-interface";
import { Client, InMemoryTransport, type CallToolResult } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type McpQuestion, type McpServing, type McpUser, serveMcp } from "./index.ts";
import type { McpServerOptions } from "./mcp-server-options.ts";

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
  context: z.object({ askUser: z.custom<McpUser["answer"]>().optional() }),
  async execute(_, { context: { askUser }, signal }) {
    const choices = [{ label: "red" }, { label: "blue" }];
    const answer = await askUser?.({ text: "Which?", choices, several: false, signal });
    return success(String(answer));
  },
});
const listTool = defineTool({
  name: "list_things",
  description: "Lists.",
  parameters: z.object({}),
  output: z.array(z.string()),
  execute: () => success("1: a\n2: b", { data: ["a", "b"] }),
});
const deleteTool = defineTool({
  name: "delete_thing",
  description: "Deletes.",
  parameters: z.object({ thing: z.string() }),
  annotations: { destructive: true },
  execute: ({ thing }) => `deleted ${thing}`,
});

const faults: string[] = [];
const clients: Client[] = [];
const servings: McpServing[] = [];
afterEach(async () => {
  faults.splice(0);
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(servings.splice(0).map((serving) => serving.close()));
});

type Answer = (message: string) => Record<string, string | boolean>;

async function connect(
  tools: Parameters<typeof serveMcp>[0],
  options: McpServerOptions & { context?: unknown } = {},
  { answer, era = "legacy" }: { answer?: Answer; era?: "legacy" | "modern" } = {},
) {
  const mode = era === "modern" ? ({ pin: "2026-07-28" } as const) : "legacy";
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: { elicitation: answer === undefined ? { url: {} } : {} }, versionNegotiation: { mode } },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => ({
      action: "accept",
      content: answer(params.message),
    }));
  }
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const onError = ({ message }: Error): void => void faults.push(message);
  servings.push(await serveMcp(tools, { onError, ...options, transport: ours }));
  await client.connect(theirs);
  clients.push(client);
  return client;
}

const textOf = ({ content }: CallToolResult): string => content.map((part) => ("text" in part ? part.text : "")).join();

describe.each(["legacy", "modern"] as const)("serveMcp() to a %s client", (era) => {
  test("gives each kind of client its own tools, and each call a context made for who calls", async () => {
    const registryFor = ({ canAsk }: { canAsk: boolean }) =>
      createToolRegistry().register(canAsk ? [waitTool, askTool] : [waitTool]) as never;
    const context = ({ user }: { user: McpUser | undefined }) => ({
      askUser: user && ((question: McpQuestion) => user.answer(question)),
    });
    const client = await connect(registryFor, { context }, { era, answer: () => ({ choice: "blue", other: "or so" }) });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["wait", "ask"]);
    expect(textOf(await client.callTool({ name: "ask", arguments: {} }))).toBe("blue,or so");
    const mute = await connect(registryFor, { context }, { era });
    expect((await mute.listTools()).tools.map(({ name }) => name)).toEqual(["wait"]);
    await expect(mute.callTool({ name: "ask", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  });

  test("gives text alone unless data is asked for, then data of any kind", async () => {
    const registry = createToolRegistry().register([listTool, waitTool]);
    const plain = await connect(registry, {}, { era });
    expect((await plain.listTools()).tools.map(({ outputSchema }) => outputSchema)).toEqual([undefined, undefined]);
    expect(await plain.callTool({ name: "list_things" })).not.toHaveProperty("structuredContent");
    for (const options of [{ structuredOutput: true }, { tools: { list_things: { structuredOutput: true } } }]) {
      const client = await connect(registry, options, { era });
      const [listed] = (await client.listTools()).tools;
      expect(listed?.outputSchema).toMatchObject(
        era === "modern" ? { type: "array" } : { type: "object", properties: { result: { type: "array" } } },
      );
      const { structuredContent, content } = await client.callTool({ name: "list_things" });
      expect(structuredContent).toEqual(era === "modern" ? ["a", "b"] : { result: ["a", "b"] });
      expect(content).toEqual([{ type: "text", text: "1: a\n2: b" }]);
    }
  });

  test("shows titles and icons", async () => {
    const icons = [{ src: "https://example.com/a.png", mimeType: "image/png" }];
    const tools = { wait: { title: "Hold on", icons } };
    const client = await connect(
      createToolRegistry().register([waitTool, listTool]),
      { tools, icons, title: "T" },
      { era },
    );
    expect((await client.listTools()).tools).toMatchObject([{ title: "Hold on", icons }, { title: "List things" }]);
    expect(client.getServerVersion()).toMatchObject({ name: "dispatch", title: "T", icons });
  });

  test("asks the client's user about calls that need approval; an approver of the host's decides instead", async () => {
    const registry = createToolRegistry().register(deleteTool);
    const call = { name: "delete_thing", arguments: { thing: "a" } };
    const asked: string[] = [];
    const answer: Answer = (message) => (asked.push(message), { approve: asked.length === 1 });
    const client = await connect(registry, {}, { era, answer });
    expect(textOf(await client.callTool(call))).toBe("deleted a");
    expect(await client.callTool(call)).toMatchObject({ isError: true });
    expect(asked[0]).toBe("Let the agent call delete_thing?\n\nthing: a");
    const host = await connect(registry, { approve: () => true }, { era });
    expect(textOf(await host.callTool(call))).toBe("deleted a");
    const nobody = await connect(registry, {}, { era });
    expect(await nobody.callTool(call)).toMatchObject({ isError: true });
    expect(asked).toHaveLength(2);
  });

  test("runs so many calls at the same time, and more once some have ended", async () => {
    const client = await connect(createToolRegistry().register(waitTool), { maxConcurrency: 3 }, { era });
    const stop = new AbortController();
    const call = { name: "wait", arguments: {} };
    const running = Array.from({ length: 3 }, () => client.callTool(call, { signal: stop.signal }));
    const ended = Promise.allSettled(running);
    const refused = await client.callTool(call);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe("Cannot run wait now: 3 calls run. Try again later");
    stop.abort("enough");
    await ended;
    await expect
      .poll(() => client.callTool(call, { timeout: 200 }).catch((error: unknown) => String(error)))
      .toMatch(/timed out/i);
  });

  test("says nothing of this machine when the tools or the context cannot be made", async () => {
    const broken = () => Promise.reject(new Error("Cannot open /home/user/memory"));
    const client = await connect(broken, {}, { era });
    await expect(client.listTools()).rejects.toThrow(/Cannot serve the tools: the server could not make them$/);
    const half = await connect(createToolRegistry().register(listTool), { context: broken }, { era });
    expect(textOf(await half.callTool({ name: "list_things" }))).toBe("Cannot run list_things: the server failed");
    expect(faults).toContain("Cannot open /home/user/memory");
  });

  test("lists tools that are registered later, and tells clients of them", async () => {
    const registry = createToolRegistry().register(waitTool);
    const client = await connect(registry, { toolsTtlMs: 0 }, { era });
    await client.listTools();
    let heard = 0;
    client.setNotificationHandler("notifications/tools/list_changed", () => void (heard += 1));
    registry.register(listTool);
    servings.at(-1)?.toolsChanged();
    if (era === "legacy") await expect.poll(() => heard).toBe(1);
    expect((await client.listTools()).tools).toHaveLength(2);
  });
});
