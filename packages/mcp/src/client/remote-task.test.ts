import { execFile } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolRegistry, defineTool, success, type AnyToolRegistry } from "@dispatch/tools-interface";
import { expect, onTestFinished, test } from "vitest";
import { serveMcp, type McpTaskOptions } from "../server/index.ts";
import { approve } from "./__fixtures__/servers.ts";
import { connectMcp, type McpClientOptions } from "./index.ts";

const TOKEN = "a-token-for-tests-only";

/** A server of 2026-07-28 whose calls become tasks at once. */
async function serve(more: McpTaskOptions = {}) {
  const state = { begun: 0, cancelled: 0, finish: () => {}, say: (_message: string) => {} };
  const registry = createToolRegistry().register([
    defineTool({
      name: "build",
      description: "Builds for twenty minutes.",
      parameters: { type: "object", properties: { target: { type: "string" } } },
      async execute({ target }, { progress, signal }) {
        state.begun += 1;
        state.say = (message) => progress({ message });
        progress({ message: `compiles ${String(target)}` });
        signal.addEventListener("abort", () => (state.cancelled += 1));
        await new Promise<void>((resolve, reject) => {
          state.finish = resolve;
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        });
        return success("built", { data: { files: 3 } });
      },
    }),
    defineTool({
      name: "deploy",
      description: "Deploys.",
      parameters: { type: "object", properties: {} },
      annotations: { destructive: true },
      execute: () => "deployed",
    }),
    defineTool({
      name: "break",
      description: "Fails.",
      parameters: { type: "object", properties: {} },
      execute() {
        throw new Error("it broke");
      },
    }),
  ]);
  const serving = await serveMcp(registry, {
    transport: { port: 0, token: TOKEN },
    tasks: { afterMs: 0, pollIntervalMs: 50, ...more },
  });
  onTestFinished(() => serving.close());
  return { state, url: serving.url ?? "" };
}

async function connect(url: string, options: McpClientOptions = {}): Promise<AnyToolRegistry> {
  const source = connectMcp("far", { url, headers: { Authorization: `Bearer ${TOKEN}` } }, options);
  onTestFinished(() => source.close());
  return createToolRegistry().register(await source.tools());
}

/** Whether a client has sent the server such a request: before it asks for a task, it does not know that there is one. */
function watchFor(method: string, url: string): () => boolean {
  let isSeen = false;
  const onRequest = (message: unknown): void => {
    const { headers } = (message as { readonly request: IncomingMessage }).request;
    isSeen ||= headers["mcp-method"] === method && headers.host === new URL(url).host;
  };
  subscribe("http.server.request.start", onRequest);
  onTestFinished(() => void unsubscribe("http.server.request.start", onRequest));
  return () => isSeen;
}

test("a call that the server makes a task of is waited for, with its progress", async () => {
  const { state, url } = await serve();
  const registry = await connect(url);
  const said: string[] = [];
  const result = registry.dispatch(
    "far__build",
    { target: "all" },
    { approve, onEvent: (event) => event.type === "call-progress" && said.push(event.update.message) },
  );
  await expect.poll(() => said).toContain("compiles all");
  state.finish();
  expect(await result).toMatchObject({ success: true, output: "built" });
  expect(await registry.dispatch("far__break", {}, { approve })).toMatchObject({
    success: false,
    error: expect.stringContaining("it broke"),
  });
});

test("a cancelled call cancels its task", async () => {
  const { state, url } = await serve();
  const registry = await connect(url);
  const isFollowed = watchFor("tasks/get", url);
  const stop = new AbortController();
  const result = registry.dispatch("far__build", {}, { approve, signal: stop.signal });
  await expect.poll(() => state.begun).toBe(1);
  await expect.poll(isFollowed).toBe(true);
  stop.abort();
  expect(await result).toMatchObject({ success: false, stopped: true });
  await expect.poll(() => state.cancelled).toBe(1);
});

test("a call that is cancelled before its task has an id cancels the task when it has one", async () => {
  const { state, url } = await serve();
  // A slow way back: the answer to the call comes when the call is over.
  const passOn = Promise.withResolvers<void>();
  const methods: string[] = [];
  const way = createServer((request, response) => {
    void (async () => {
      const method = String(request.headers["mcp-method"] ?? "");
      methods.push(method);
      const body = Buffer.concat((await request.toArray()) as Buffer[]);
      const headers = { ...(request.headers as Record<string, string>), host: new URL(url).host };
      for (const name of ["connection", "content-length", "transfer-encoding"]) Reflect.deleteProperty(headers, name);
      const answer = await fetch(url, { method: request.method ?? "", headers, ...(body.length > 0 && { body }) });
      const type = answer.headers.get("content-type") ?? "application/json";
      const text = method === "subscriptions/listen" ? "" : await answer.text();
      if (method === "tools/call") await passOn.promise;
      response.writeHead(answer.status, { "content-type": type }).end(text);
    })().catch(() => response.destroy());
  });
  way.listen(0, "127.0.0.1");
  await once(way, "listening");
  onTestFinished(() => (way.closeAllConnections(), void way.close()));
  const registry = await connect(`http://127.0.0.1:${(way.address() as AddressInfo).port}/mcp`);
  const stop = new AbortController();
  const result = registry.dispatch("far__build", {}, { approve, signal: stop.signal });
  await expect.poll(() => state.begun).toBe(1);
  stop.abort();
  expect(await result).toMatchObject({ success: false, stopped: true });
  expect(state.cancelled).toBe(0);
  passOn.resolve();
  await expect.poll(() => state.cancelled).toBe(1);
  expect(methods).not.toContain("tasks/get");
});

test.each([true, false])("the question of a task goes to the user, who says %j", async (agrees) => {
  const { url } = await serve();
  const asked: string[] = [];
  const registry = await connect(url, {
    elicit({ server, message }) {
      asked.push(`${server}: ${message}`);
      return Promise.resolve({ action: "accept", content: { approve: agrees } });
    },
  });
  const result = await registry.dispatch("far__deploy", {}, { approve });
  expect(asked).toEqual([expect.stringContaining("far: Let the agent call deploy?")]);
  expect(result).toMatchObject(agrees ? { output: "deployed" } : { success: false });
});

test("a durable call goes on with its task after its process was killed, and begins it once", async () => {
  const { state, url } = await serve();
  const directory = mkdtempSync(path.join(tmpdir(), "remote-task-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const args = [
    "--conditions=@dispatch/source",
    path.join(import.meta.dirname, "__fixtures__/durable-process.ts"),
    url,
    TOKEN,
    path.join(directory, "calls.db"),
  ];
  const run = () => {
    let said = "";
    const child = execFile(process.execPath, args);
    child.stdout?.on("data", (text: string) => (said += text));
    child.stderr?.on("data", (text: string) => (said += text));
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    onTestFinished(() => {
      child.kill("SIGKILL");
      return ended;
    });
    return { child, ended, said: () => said };
  };
  const isFollowed = watchFor("tasks/get", url);
  const first = run();
  // The id of the task is kept by then. A report of progress shows less: the first ones come with the answer that has the id.
  await expect.poll(isFollowed, { timeout: 60_000 }).toBe(true);
  state.say("tick");
  first.child.kill("SIGKILL");
  await first.ended;
  const second = run();
  await expect.poll(second.said, { timeout: 60_000 }).toContain("tick");
  state.finish();
  await second.ended;
  expect(second.said()).toContain("built");
  expect([state.begun, state.cancelled]).toEqual([1, 0]);
}, 180_000);
