import { serveMcp, type McpServing } from "@dispatch/mcp/server";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  type RawClientDispatch,
  type TaskEnabledSession,
} from "@modelcontextprotocol/ext-tasks/client";
import { expect, onTestFinished, test } from "vitest";

const TOKEN = "a-token-for-tests-only";
const PROTOCOL = "2026-07-28";
let calls = 0;
let letGoOn = (): void => {};

const registry = createToolRegistry().register([
  defineTool({
    name: "build",
    description: "Builds for twenty minutes.",
    parameters: { type: "object", properties: {} },
    async execute(_, { progress }) {
      calls += 1;
      progress({ message: "compiles" });
      await new Promise<void>((resolve) => (letGoOn = resolve));
      return "built";
    },
  }),
  defineTool({
    name: "deploy",
    description: "Deploys.",
    parameters: { type: "object", properties: {} },
    annotations: { destructive: true },
    execute: () => "deployed",
  }),
]);

/** A client as it is after its process was started: it knows nothing of an earlier one. */
async function connect({ url = "" }: McpServing, asked: string[] = []): Promise<TaskEnabledSession> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const client = new Client({ name: "official", version: "1" }, { versionNegotiation: { mode: { pin: PROTOCOL } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  let id = 0;
  // The SDK refuses unknown fields of results, so requests of the extension go beside it.
  const rawDispatch: RawClientDispatch = async (request) => {
    const { method, params } = request as { method: string; params: { name?: string; taskId?: string } };
    const name = params.name ?? params.taskId ?? "";
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": PROTOCOL,
        "Mcp-Method": method,
        "Mcp-Name": name,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: (id += 1), method, params }),
    });
    const text = await response.text();
    const events = text.split("\n").filter((line) => line.startsWith("data:"));
    const { result, error } = JSON.parse(events.at(-1)?.slice(5) ?? text) as { result: never; error?: never };
    return error === undefined ? { kind: "result", result } : { kind: "error", error };
  };
  const session = createTaskSessionFromClient(client, {
    endpointId: "the-server",
    rawDispatch,
    v2RequestFraming: {
      protocolVersion: PROTOCOL,
      clientInfo: { name: "official", version: "1" },
      clientCapabilities: { elicitation: {} },
    },
    onInputRequest(request) {
      asked.push(String(request.params?.["message"]));
      return Promise.resolve({ action: "accept", content: { approve: true } }) as never;
    },
  });
  onTestFinished(async () => {
    await session.close();
    await client.close();
  });
  return session;
}

async function serve(): Promise<McpServing> {
  const serving = await serveMcp(registry, {
    transport: { port: 0, token: TOKEN },
    tasks: { afterMs: 0, pollIntervalMs: 20 },
  });
  onTestFinished(() => serving.close());
  return serving;
}

test("the official requester of tasks gets the result of a call that another one began, and its progress", async () => {
  const serving = await serve();
  const first = await connect(serving);
  const begun = await first.callTool("build");
  if (begun.kind !== "task") throw new Error("The call was answered at once");
  const reference = JSON.stringify(begun.serializeReference());
  // Killed, because a session that is closed cancels its calls.
  await begun.detach();

  const second = await connect(serving);
  const resumed = await second.resumeTask(JSON.parse(reference) as never);
  await expect.poll(async () => (await second.task(begun.handle.taskId).snapshot()).statusMessage).toBe("compiles");
  letGoOn();
  const { outcome } = await resumed.settle();
  expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ type: "text", text: "built" }] });
  expect(calls).toBe(1);
});

test("the official requester of tasks answers the approval of a call, and cancels one", async () => {
  const serving = await serve();
  const asked: string[] = [];
  const session = await connect(serving, asked);
  const { outcome } = await (await session.callTool("deploy")).settle();
  expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ type: "text", text: "deployed" }] });
  expect(asked).toEqual([expect.stringContaining("Let the agent call deploy?")]);

  const long = await session.callTool("build");
  await long.cancel();
  expect((await long.settle()).outcome.status).toBe("cancelled");
});
