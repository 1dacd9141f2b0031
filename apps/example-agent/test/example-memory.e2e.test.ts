import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { examples } from "./run-example.ts";

describe("memory-web-handler.ts", () => {
  type Handler = { fetch(request: Request): Promise<Response>; close(): Promise<void> };
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "agent-examples-"));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(directory, { recursive: true, force: true });
  });

  /** The handler for these users. The module reads the environment once, so each test imports it anew. */
  const openHandler = async (tokens: string): Promise<Handler> => {
    vi.stubEnv("API_TOKENS", tokens);
    vi.stubEnv("MEMORY_URL", path.join(directory, "memory"));
    const address = `${path.join(examples, "memory-web-handler.ts")}?${encodeURIComponent(tokens)}`;
    return ((await import(address)) as { handler: Handler }).handler;
  };

  test("takes a token with a colon whole, and no part of it", async () => {
    const handler = await openHandler("ada:TO:KEN,bob:two:,:nobody,carl:,dora");
    const tokens = ["TO:KEN", "two:", "TO", "KEN", "two", "nobody", "", "dora", "undefined"];
    const ask = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await handler.fetch(new Request("http://localhost/tools", { headers }))).status;
    };
    try {
      const statuses: number[] = [];
      for (const token of tokens) statuses.push(await ask(token));
      expect(statuses).toEqual([200, 200, 401, 401, 401, 401, 401, 401, 401]);
    } finally {
      await handler.close();
    }
  });

  test("stops reading a body that is longer than allowed, and takes characters that chunks divide", async () => {
    const handler = await openHandler("ada:one");
    let pulled = 0;
    const send = async (chunks: Iterator<Uint8Array>): Promise<readonly [number, string]> => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const { done, value } = chunks.next();
          if (done === true) return controller.close();
          pulled += 1;
          controller.enqueue(value);
        },
      });
      const init = { method: "POST", headers: { authorization: "Bearer one" }, body, duplex: "half" as const };
      const response = await handler.fetch(new Request("http://localhost/tools/memory_write", init));
      return [response.status, await response.text()];
    };
    try {
      const spaces = Array.from({ length: 1_000 }, () => new Uint8Array(10_000).fill(32));
      expect((await send(spaces.values()))[0]).toBe(413);
      expect(pulled).toBeLessThan(20);
      const bytes = new TextEncoder().encode(JSON.stringify({ label: "drinks", content: "Ada likes thé and 茶" }));
      expect(await send(Iterator.from(bytes).map((byte) => Uint8Array.of(byte)))).toEqual([
        200,
        expect.stringContaining("thé and 茶"),
      ]);
    } finally {
      await handler.close();
    }
  });

  test("keeps each user's memory apart, and answers nobody without a token", async () => {
    const handler = await openHandler("ada:one,bob:two");
    const send = async (token: string, address: string, body?: object): Promise<readonly [number, string]> => {
      const headers = { authorization: `Bearer ${token}` };
      const method = body === undefined ? "GET" : "POST";
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await handler.fetch(new Request(`http://localhost${address}`, init));
      return [response.status, await response.text()];
    };
    try {
      const written = await send("one", "/tools/memory_write", { label: "drinks", content: "Ada likes green tea" });
      expect(written[0]).toBe(200);
      expect(await send("one", "/tools/memory_read", { query: "tea" })).toEqual([
        200,
        expect.stringContaining("green tea"),
      ]);
      expect((await send("two", "/tools/memory_read", { query: "tea" }))[1]).not.toContain("green tea");
      expect(await send("three", "/tools/memory_read", { query: "tea" })).toEqual([401, expect.any(String)]);
      expect((await send("one", "/tools/memory_read", {}))[0]).toBe(422);
      expect((await send("one", "/tools/admin", {}))[0]).toBe(404);
      expect(await send("one", "/tools")).toEqual([200, expect.stringContaining("memory_write")]);
    } finally {
      await handler.close();
    }
  });
});
