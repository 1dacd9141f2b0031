import { type HostileMcpCase, hostileMcpCases } from "@dispatch/check";
import { describe, expect, test } from "vitest";
import { connectMcpSubject } from "./connect-mcp-subject.ts";

describe("connectMcp() with hostile servers", () => {
  test("of many kinds, each once", () => {
    expect(hostileMcpCases.length).toBeGreaterThanOrEqual(100);
    const names = hostileMcpCases.map(({ topic, name }) => `${topic}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  /** They measure the memory of the process: nothing runs beside them. */
  const isAlone = ({ name }: HostileMcpCase) => name.startsWith("200 MB");
  test.each(hostileMcpCases.filter(isAlone))("$topic: $name", async ({ run }) => {
    await expect(run(connectMcpSubject)).resolves.toBeUndefined();
  });

  test.concurrent.each(hostileMcpCases.filter((one) => !isAlone(one)))("$topic: $name", async ({ run }) => {
    await expect(run(connectMcpSubject)).resolves.toBeUndefined();
  });
});
