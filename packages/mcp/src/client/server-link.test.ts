import { expect, onTestFinished, test } from "vitest";
import { startHttpServer } from "./__fixtures__/http-server.ts";
import { connectMcp } from "./index.ts";

test.each(["application/json", "text/event-stream"] as const)(
  "connectMcp() fails a request at once whose answer, as %s, is too long, whatever its time limit",
  async (type) => {
    const list = { tools: [], _meta: { long: "x".repeat(100_000) } };
    const url = await startHttpServer(() => ({ type, results: { "tools/list": list } }));
    const source = connectMcp("long", { url }, { maxMessageBytes: 50_000, connectTimeoutMs: 2_000_000_000 });
    onTestFinished(() => source.close());
    await expect(source.tools()).rejects.toMatchObject({
      code: "mcp_failed",
      message: "Cannot list the tools of long: it sent a message of more than 50000 bytes",
    });
    const patient = connectMcp("long", { url }, { maxMessageBytes: 200_000 });
    onTestFinished(() => patient.close());
    expect(await patient.tools()).toEqual([]);
  },
);
