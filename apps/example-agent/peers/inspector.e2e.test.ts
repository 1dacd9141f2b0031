import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endAll, startServer, TOKEN } from "../test/mcp-connection.ts";
import { main } from "../test/run-agent.ts";
import { runProgram, type Finished } from "./run-program.ts";

let directory: string;
let url: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "mcp-inspector-"));
  await writeFile(path.join(directory, "a.txt"), "in the directory");
  const server = startServer(["--workspace", directory, "--structured-output", "--http", "0"], {
    DISPATCH_MCP_TOKEN: TOKEN,
  });
  [, url = ""] = await server.seen(/serves at (http:\S+)/);
});
afterAll(async () => {
  await endAll();
  await rm(directory, { recursive: true, force: true });
});

const overStdio = (...args: readonly string[]): Promise<Finished> => {
  const command = [
    process.execPath,
    "--conditions=@dispatch/source",
    main,
    "mcp",
    "--workspace",
    directory,
    "--structured-output",
  ];
  return runProgram("mcp-inspector", ["--cli", ...args, "--", ...command]);
};
const overHttp = (...args: readonly string[]): Promise<Finished> =>
  runProgram("mcp-inspector", ["--cli", "--server-url", url, "--header", `Authorization: Bearer ${TOKEN}`, ...args]);

describe.each([
  ["stdio", overStdio],
  ["HTTP", overHttp],
] as const)("the Inspector's CLI over %s", (_, inspect) => {
  test.each(["legacy", "modern"])(
    "lists tools to a %s client and finds nothing wrong with their schemas",
    async (era) => {
      const { code, stdout, stderr } = await inspect("--protocol-era", era, "--strict", "--method", "tools/list");
      expect(code, stderr).toBe(0);
      const { tools } = JSON.parse(stdout) as { tools: { name: string; title: string }[] };
      expect(tools.length).toBeGreaterThan(10);
      expect(tools[0]).toMatchObject({ name: "read_file", title: "Read file", annotations: { readOnlyHint: true } });
    },
  );

  test.each(["legacy", "modern"])("calls a tool as a %s client", async (era) => {
    const call = ["--protocol-era", era, "--method", "tools/call", "--tool-name", "read_file", "--tool-arg"];
    const { code, stdout, stderr } = await inspect(...call, "path=a.txt");
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { content: "in the directory" } });
    const refused = await inspect(...call, "path=../a.txt");
    expect(refused.code).toBe(5);
    expect(JSON.parse(refused.stdout)).toMatchObject({ isError: true });
  });
});
