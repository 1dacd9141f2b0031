import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { serveMcp, type McpServing } from "@dispatch/tools-interface/mcp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, TOKEN, type ServerProcess } from "../test/mcp-connection.ts";
import { startBearingProxy } from "./bearing-proxy.ts";
import { createConformanceTools } from "./conformance-tools.ts";
import { runProgram } from "./run-program.ts";

async function expectConforms(url: string, scenario: string): Promise<void> {
  const { code, stdout, stderr } = await runProgram("conformance", ["server", "--url", url, "--scenario", scenario]);
  const passed = /Passed: (\d+)\/(\d+), 0 failed/.exec(stdout);
  expect(passed, stdout + stderr).not.toBeNull();
  expect(Number(passed?.[1]), stdout).toBeGreaterThan(0);
  expect(passed?.[1]).toBe(passed?.[2]);
  expect(code).toBe(0);
}

describe("the mcp server, by the protocol's conformance runner", () => {
  let server: ServerProcess;
  let proxy: { url: string; server: HttpServer };
  beforeAll(async () => {
    server = startServer(["--workspace", tmpdir(), "--http", "0"], { DISPATCH_MCP_TOKEN: TOKEN });
    const [, url = ""] = await server.seen(/serves at (http:\S+)/);
    proxy = await startBearingProxy(url, TOKEN);
  });
  afterAll(async () => {
    proxy.server.close();
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test.each(["server-initialize", "ping", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"])(
    "%s",
    (scenario) => expectConforms(proxy.url, scenario),
  );
});

describe("the same server over the tools that the runner asks for", () => {
  let listener: McpServing;
  let proxy: { url: string; server: HttpServer };
  beforeAll(async () => {
    listener = await serveMcp(createConformanceTools(), { transport: { port: 0, token: TOKEN } });
    proxy = await startBearingProxy(listener.url ?? "", TOKEN);
  });
  afterAll(async () => {
    await listener.close();
    proxy.server.close();
    await once(proxy.server, "close");
  });

  test.each([
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-elicitation",
  ])("%s", (scenario) => expectConforms(proxy.url, scenario));
});

describe("connectMcp(), by the protocol's conformance runner", () => {
  const program = path.join(import.meta.dirname, "conformance-client.ts");
  const command = `${process.execPath} --conditions=@dispatch/source ${program}`;
  test.each(["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"])(
    "%s",
    async (scenario) => {
      const { code, stdout, stderr } = await runProgram("conformance", [
        "client",
        "--command",
        command,
        "--scenario",
        scenario,
      ]);
      expect(code, stdout + stderr).toBe(0);
      expect(stdout + stderr).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
    },
  );
});
