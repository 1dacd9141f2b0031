import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { approve, connectTo } from "./__fixtures__/servers.ts";
import { connectMcp } from "./index.ts";

describe("a call of a server's tool", () => {
  test("puts a server's questions to the user, and tells it when there is nobody", async () => {
    const theirs = createToolRegistry().register(
      defineTool({
        name: "remove",
        description: "Removes.",
        parameters: z.object({}),
        annotations: { destructive: true },
        execute: () => "removed",
      }),
    );
    const asked: string[] = [];
    const source = connectTo(theirs, {
      elicit({ server, message }) {
        asked.push(`${server}: ${message}`);
        return Promise.resolve({ action: "accept", content: { approve: true } });
      },
    });
    const registry = createToolRegistry().register(await source.tools());
    expect(String(await registry.dispatch("other__remove", {}, { approve }))).toBe("removed");
    expect(asked).toEqual(["other: Let the agent call remove?"]);
    const mute = createToolRegistry().register(await connectTo(theirs).tools());
    expect(await mute.dispatch("other__remove", {}, { approve })).toMatchObject({ code: "mcp_error" });
  });

  test("cancels and times out", async () => {
    const stopped: string[] = [];
    const theirs = createToolRegistry().register(
      defineTool({
        name: "wait",
        description: "Waits.",
        parameters: z.object({}),
        execute: (_, { signal }) =>
          new Promise<string>((resolve) =>
            signal.addEventListener("abort", () => {
              stopped.push("stopped");
              resolve("stopped");
            }),
          ),
      }),
    );
    const registry = createToolRegistry().register(await connectTo(theirs, { timeoutMs: 50 }).tools());
    expect(await registry.dispatch("other__wait", {}, { approve })).toMatchObject({ code: "timeout" });
    await expect.poll(() => stopped).toEqual(["stopped"]);
  });

  test.each(["", "a__b", "_a", "a_", "a b", "a/b", "x".repeat(33)])("names no server %j", (name) => {
    expect(() => connectMcp(name, { url: "http://localhost" })).toThrow("Cannot name a server");
  });
});
