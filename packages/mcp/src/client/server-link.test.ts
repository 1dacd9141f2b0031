import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { expect, onTestFinished, test, vi } from "vitest";
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

test("connectMcp() gives a program none of the host's variables but those that say where it runs", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mcp-environment-"));
  vi.stubEnv("SECRET_OF_THE_HOST", "zqxjkv");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true, force: true });
  });
  const file = path.join(directory, "environment.json");
  const program = "require('node:fs').writeFileSync(process.argv[1], JSON.stringify(process.env))";
  const server = { command: process.execPath, args: ["-e", program, file], env: { OWN: "yes" } };
  const source = connectMcp("variables", server);
  await expect(source.tools()).rejects.toMatchObject({ code: "mcp_unreachable" });
  await source.close();
  const { OWN, PATH, ...others } = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  expect([OWN, PATH]).toEqual(["yes", process.env["PATH"]]);
  expect(JSON.stringify(others)).not.toMatch(/SECRET_OF_THE_HOST|zqxjkv/);
});
