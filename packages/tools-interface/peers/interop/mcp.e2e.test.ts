import process from "node:process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, type Progress } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { PIXEL, REFUSED } from "./toolbox.ts";

const open: Client[] = [];

/** A client with a server of its own in another process, and that process's output at its end. */
async function connect(answer?: "accept" | "decline"): Promise<{ client: Client; end: () => Promise<unknown> }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--conditions=@dispatch/source", `${import.meta.dirname}/mcp-server.ts`],
    stderr: "pipe",
  });
  const written = text(transport.stderr as Readable);
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, () => ({ action: answer, content: {} }));
  open.push(client);
  await client.connect(transport);
  const end = async (): Promise<unknown> => {
    await client.close();
    return JSON.parse(await written) as unknown;
  };
  return { client, end };
}

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

describe("an MCP server over a registry", () => {
  it("lists tools with their own names, hints and output schemas", async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ["weather.get", { readOnlyHint: true, openWorldHint: true }],
      ["screenshot", { readOnlyHint: true }],
      ["wait", undefined],
      ["delete_file", { destructiveHint: true }],
    ]);
    expect(tools[0]).toMatchObject({
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      outputSchema: { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] },
    });
  });

  it("answers parallel calls: right, refused, corrected, unknown, with an image", async () => {
    const { client, end } = await connect();
    // From here on the client holds every result against the output schema of its tool.
    await client.listTools();
    const calls = [
      { name: "weather.get", arguments: { city: "Oslo" } },
      { name: "weather.get", arguments: { town: "Oslo" } },
      { name: "screenshot" },
      { name: "no_such_tool", arguments: {} },
    ];
    const results = await Promise.all(calls.map((call) => client.callTool(call)));
    expect(results).toEqual([
      { content: [{ type: "text", text: "Oslo: 15 °C" }], structuredContent: { degrees: 15 } },
      { content: [{ type: "text", text: expect.stringMatching(REFUSED) as unknown }], isError: true },
      {
        content: [
          { type: "text", text: "the screen" },
          { type: "image", data: PIXEL, mimeType: "image/png" },
        ],
      },
      { content: [{ type: "text", text: expect.stringContaining("no_such_tool") as unknown }], isError: true },
    ]);
    expect(await client.callTool({ name: "weather.get", arguments: { city: "Oslo", unit: "F" } })).toEqual({
      content: [{ type: "text", text: "Oslo: 15 °F" }],
      structuredContent: { degrees: 15 },
    });
    expect(await end()).toEqual([
      ["weather.get", "ok"],
      ["weather.get", "invalid_params"],
      ["screenshot", "ok"],
      ["no_such_tool", "tool_not_found"],
      ["weather.get", "ok"],
    ]);
  });

  it("passes on progress, and cancels", async () => {
    const { client, end } = await connect();
    const heard: Progress[] = [];
    const abort = new AbortController();
    const onprogress = (progress: Progress): void => {
      heard.push(progress);
      abort.abort("enough");
    };
    const waiting = client.callTool({ name: "wait" }, undefined, { signal: abort.signal, onprogress });
    await expect(waiting).rejects.toThrow("enough");
    expect(heard).toEqual([{ progress: 1, total: 2, message: "waiting" }]);
    // The server goes on; a client receives nothing more about a call that it cancelled.
    await client.callTool({ name: "weather.get", arguments: { city: "Oslo" } });
    expect(await end()).toEqual([
      ["wait", "cancelled"],
      ["weather.get", "ok"],
    ]);
  });

  it("asks the client's user for approval, and denies where the client cannot ask", async () => {
    for (const answer of ["accept", "decline", undefined] as const) {
      const { client, end } = await connect(answer);
      const result = await client.callTool({ name: "delete_file", arguments: { path: "a.txt" } });
      expect(result.isError).toBe(answer === "accept" ? undefined : true);
      expect(await end()).toEqual([["delete_file", answer === "accept" ? "ok" : "denied"]]);
    }
  });
});
