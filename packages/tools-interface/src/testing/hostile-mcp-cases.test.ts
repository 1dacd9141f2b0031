import { describe, expect, test } from "vitest";
import { createToolRegistry } from "../index.ts";
import { connectMcp } from "../mcp-client/mcp-client.ts";
import { hostileMcpCases } from "./hostile-mcp/hostile-mcp-cases.ts";
import type { McpSubject } from "./hostile-mcp/mcp-subject.ts";

/** A registry with the tools of the server, made anew for each listing. */
const subject: McpSubject = {
  connect(url, { timeoutMs, headers }) {
    const source = connectMcp("other", { url, headers }, { timeoutMs, connectTimeoutMs: timeoutMs });
    let registry = createToolRegistry();
    return Promise.resolve({
      async tools() {
        registry = createToolRegistry().register(await source.tools());
        return registry.toArray();
      },
      async call(name, params) {
        const result = await registry.dispatch(name, params, { approve: () => true });
        return { success: result.success, text: String(result) };
      },
      close: () => source.close(),
    });
  },
};

describe("connectMcp() with hostile servers", () => {
  test("of many kinds, each once", () => {
    expect(hostileMcpCases.length).toBeGreaterThanOrEqual(100);
    const names = hostileMcpCases.map(({ topic, name }) => `${topic}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(hostileMcpCases)("$topic: $name", async ({ run }) => {
    await expect(run(subject)).resolves.toBeUndefined();
  });
});
