import { describe, expect, test } from "vitest";
import { connectMcpSubject } from "./connect-mcp-subject.ts";
import { hostileMcpCases } from "./hostile-mcp/hostile-mcp-cases.ts";

describe("connectMcp() with hostile servers", () => {
  test("of many kinds, each once", () => {
    expect(hostileMcpCases.length).toBeGreaterThanOrEqual(100);
    const names = hostileMcpCases.map(({ topic, name }) => `${topic}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(hostileMcpCases)("$topic: $name", async ({ run }) => {
    await expect(run(connectMcpSubject)).resolves.toBeUndefined();
  });
});
