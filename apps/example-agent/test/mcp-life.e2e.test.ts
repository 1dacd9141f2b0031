import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, connectStdio, endAll, INITIALIZE, startServer, type ServerProcess } from "./mcp-connection.ts";
import { runAgent } from "./run-agent.ts";

let directory: string;
beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "mcp-life-")));
  await writeFile(path.join(directory, "a.txt"), "in the directory");
});
afterAll(async () => {
  await endAll();
  await rm(directory, { recursive: true, force: true });
});

function send({ child }: ServerProcess, ...messages: readonly object[]): void {
  for (const message of messages) child.stdin?.write(`${JSON.stringify(message)}\n`);
}

function runCode(id: number, code: string): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "execute_code", arguments: { code } } };
}

/** Every process that this one started, and those that they started. */
function descendantsOf(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const found = [pid];
  for (const one of found) found.push(...parents.filter(([, parent]) => parent === one).map(([child]) => child));
  return found.slice(1);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

interface Configuration {
  readonly command: string;
  readonly args: readonly string[];
}

const root = path.resolve(import.meta.dirname, "../../..");
/** The configurations of the docs, with the places of this machine. */
const configurations = [
  ...readFileSync(path.join(root, "apps/example-agent/README.md"), "utf8").matchAll(/^```json\n(.*?)^```$/gms),
]
  .map(
    ([, text = ""]) =>
      JSON.parse(
        text.replaceAll("/path/to/dispatch", root).replaceAll("/path/to/my-project", tmpdir()),
      ) as Configuration & { mcpServers?: { dispatch: Configuration } },
  )
  .map(({ mcpServers, ...plain }) => mcpServers?.dispatch ?? plain);

describe("the life of an mcp server", () => {
  test.each(["end of stdin", "SIGTERM", "SIGINT"] as const)(
    "at %s, in the middle of a call, it closes everything and exits 0; stdout held nothing but the protocol",
    async (way) => {
      const temporary = await mkdtemp(path.join(directory, "tmp-"));
      const server = startServer(["--workspace", directory], { TMPDIR: temporary });
      send(server, INITIALIZE, { jsonrpc: "2.0", method: "notifications/initialized" });
      send(
        server,
        runCode(
          2,
          "await create_file({ path: 'started', content: '' }); await new Promise((done) => setTimeout(done, 100_000))",
        ),
      );
      await expect.poll(() => existsSync(path.join(directory, "started"))).toBe(true);
      const started = descendantsOf(server.child.pid ?? 0);
      expect(started.length).toBeGreaterThan(0);
      if (way === "end of stdin") server.child.stdin?.end();
      else server.child.kill(way);
      expect(await server.ended).toBe(0);
      // A killed process takes a moment to end on a busy machine. One that was not killed would run for longer.
      await expect.poll(() => started.filter(isAlive), { timeout: 5_000 }).toEqual([]);
      for (const line of server.written.stdout.trimEnd().split("\n")) {
        expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
      }
      expect(server.written.stderr).toBe("");
      expect(readdirSync(temporary)).toEqual([]);
      await rm(path.join(directory, "started"));
    },
  );

  test("answers after what is no message, and to one that is longer than any memory should hold", async () => {
    const server = startServer(["--workspace", directory]);
    const { stdin } = server.child;
    const wrong = ["garbage", "{}", "[1]", "null", '{"jsonrpc":"2.0","id":{},"method":5}', "\u0000\uFFFD"];
    for (const text of [...wrong, ""]) stdin?.write(`${text}\n`);
    send(server, INITIALIZE);
    await server.seen(/"id":1\b.*\n/);
    const answers = server.written.stdout.trimEnd().split("\n");
    expect(answers.map((line) => JSON.parse(line) as unknown)).toEqual([
      ...wrong.map(() => expect.objectContaining({ id: null, error: expect.anything() })),
      expect.objectContaining({ id: 1, result: expect.objectContaining({ protocolVersion: "2025-11-25" }) }),
    ]);
    const params = { name: "read_file", arguments: { path: "x".repeat(11 * 1024 * 1024) } };
    send(server, { method: "tools/call", params, jsonrpc: "2.0", id: 7 });
    await server.seen(/"id":7\b.*allowed are 4194304/);
    send(server, { jsonrpc: "2.0", method: "notifications/initialized" }, { jsonrpc: "2.0", id: 8, method: "ping" });
    await server.seen(/"id":8\b/);
  });

  test("killed, it leaves no process behind", async () => {
    const server = startServer(["--workspace", directory]);
    send(server, INITIALIZE, runCode(2, "await create_file({ path: 'began', content: '' }); for (;;);"));
    await expect.poll(() => existsSync(path.join(directory, "began"))).toBe(true);
    const started = descendantsOf(server.child.pid ?? 0);
    expect(started.length).toBeGreaterThan(0);
    server.child.kill("SIGKILL");
    await server.ended;
    await expect.poll(() => started.filter(isAlive)).toEqual([]);
  });

  test.each([
    [["--workspace", "/nonexistent/directory"], /there is no such directory/],
    [["--workspace", "/"], /it is the whole file system/],
    [["--http", "eighty"], /Cannot read --http/],
    [["--frobnicate"], /Unknown option/],
  ])("says on stderr what is wrong with %j", async (args, text) => {
    const { code, stdout, stderr } = await runAgent(["mcp", ...args]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(text);
    expect(stderr).not.toContain("    at ");
  });

  test("refuses a memory that its own file tools could reach", async () => {
    const { code, stderr } = await runAgent([
      "mcp",
      "--workspace",
      directory,
      "--memory",
      path.join(directory, "memory"),
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("choose a directory outside");
  });

  test("explains itself", async () => {
    const { code, stdout } = await runAgent(["mcp", "--help"]);
    expect(code).toBe(0);
    for (const word of ["--workspace", "--memory", "--http", "DISPATCH_MCP_TOKEN", "Examples", '"command": "npx"']) {
      expect(stdout).toContain(word);
    }
  });

  test.each(configurations)("is started from any directory as the docs say: $command", ({ command, args }) => {
    const input = `${JSON.stringify(INITIALIZE)}\n`;
    const { status, stdout } = spawnSync(command, args, { cwd: tmpdir(), input, encoding: "utf8", timeout: 120_000 });
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { id: 1, result: { protocolVersion: "2025-11-25", serverInfo: { name: "dispatch-example-agent" } } },
    ]);
    expect(status).toBe(0);
  });

  test("shares its memory with another one", async () => {
    const memory = path.join(directory, "memory");
    const inside = await mkdtemp(path.join(directory, "inside-"));
    const [one, other] = await Promise.all([1, 2].map(() => connectStdio(["--workspace", inside, "--memory", memory])));
    if (one === undefined || other === undefined) throw new Error("There are two");
    await call(one, "memory_write", { label: "notes/shared", content: "the whale is blue" });
    expect((await call(other, "memory_read", { query: "whale" })).text).toContain("the whale is blue");
  });
});
