import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { emptyDirectory, startServer } from "./server-process.ts";

const TOOLS = [
  "read_file",
  "write_file",
  "edit_file",
  "create_file",
  "list_files",
  "search_files",
  "undo_file_change",
  "memory_read",
  "memory_write",
  "memory_list",
  "execute_code",
];
const forEver =
  "await create_file({ path: 'started', content: '' }); for (;;) await new Promise((done) => setTimeout(done, 1000));";

describe("the command", () => {
  test("lists its tools before it opens anything", async () => {
    const [workspace, memory] = [emptyDirectory(), path.join(emptyDirectory(), "memory")];
    const { ask, shakeHands, call, temporary } = startServer(["--workspace", workspace, "--memory", memory]);
    expect((await shakeHands()).result).toMatchObject({ serverInfo: { name: "dispatch" } });
    const { result = {} } = await ask("tools/list");
    expect((result["tools"] as { name: string }[]).map(({ name }) => name)).toEqual(TOOLS);
    expect(existsSync(memory)).toBe(false);
    const [own = ""] = readdirSync(temporary);
    expect(readdirSync(path.join(temporary, own))).toEqual([]);
    expect(await call("memory_write", { label: "notes/a", content: "the whale is blue" })).toContain('"source":"tool"');
    expect(await call("memory_read", { query: "whale" })).toContain("the whale is blue");
    expect(existsSync(memory)).toBe(true);
  });

  test("works in its directory, and gives text alone unless data is asked for", async () => {
    const workspace = emptyDirectory();
    writeFileSync(path.join(workspace, "a.txt"), "one\ntwo\n");
    const read = { name: "read_file", arguments: { path: "a.txt" } };
    const plain = startServer(["--workspace", workspace]);
    await plain.shakeHands();
    const answer = await plain.ask("tools/call", read);
    expect(answer.result).not.toHaveProperty("structuredContent");
    expect(JSON.stringify(answer.result)).toContain("0\\tone");
    expect(await plain.call("read_file", { path: "../a.txt" })).toMatch(/^Cannot /);
    expect(
      await plain.call("execute_code", { code: "return (await read_file({ path: 'a.txt' })).content.length" }),
    ).toContain("Returned: 8");
    const data = startServer(["--workspace", workspace, "--structured-output"]);
    await data.shakeHands();
    expect((await data.ask("tools/call", read)).result).toMatchObject({ structuredContent: { total_lines: 2 } });
  });

  test.each(["SIGTERM", "SIGHUP", "SIGINT", "end of stdin"] as const)(
    "at %s, in the middle of a program, ends and leaves nothing behind",
    async (way) => {
      const workspace = emptyDirectory();
      const { child, ended, shakeHands, call, temporary, written } = startServer(["--workspace", workspace]);
      await shakeHands();
      void call("execute_code", { code: forEver });
      await expect.poll(() => existsSync(path.join(workspace, "started"))).toBe(true);
      if (way === "end of stdin") child.stdin.end();
      else child.kill(way);
      expect(await ended).toBe(0);
      expect(readdirSync(temporary)).toEqual([]);
      for (const line of written.stdout.trimEnd().split("\n"))
        expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    },
  );

  test("removes what killed servers left, and nothing of those that run or of others", async () => {
    const workspace = emptyDirectory();
    const killed = startServer(["--workspace", workspace]);
    await killed.shakeHands();
    const running = startServer(["--workspace", workspace], killed.temporary);
    await running.shakeHands();
    killed.child.kill("SIGKILL");
    await killed.ended;
    const others = ["dispatch-mcp-0123456789ab-1-x", "dispatch-mcp-1-x", "other"];
    for (const name of others) mkdirSync(path.join(killed.temporary, name));
    expect(readdirSync(killed.temporary)).toHaveLength(2 + others.length);
    const next = startServer(["--workspace", workspace], killed.temporary);
    await next.shakeHands();
    const left = readdirSync(killed.temporary);
    expect(left).toEqual(expect.arrayContaining(others));
    expect(left.filter((name) => name.includes(`-${killed.child.pid}-`))).toEqual([]);
    expect(left).toHaveLength(2 + others.length);
  });

  test.each([
    ["its user alone may write", 0o700, false, true],
    ["others may write", 0o777, false, false],
    ["the model may write", 0o700, true, false],
  ])(
    "keeps compiled code in a directory that %s: mode %o, in the workspace %j: %j",
    async (_, mode, inside, isKept) => {
      const cache = emptyDirectory();
      const own = path.join(cache, "dispatch-mcp-server");
      mkdirSync(own);
      chmodSync(own, mode);
      const workspace = inside ? cache : emptyDirectory();
      const { shakeHands, child, ended } = startServer(["--workspace", workspace], emptyDirectory(), cache);
      await shakeHands();
      child.stdin.end();
      expect(await ended).toBe(0);
      expect(readdirSync(own).length > 0).toBe(isKept);
    },
  );

  test("refuses a workspace or a memory that would be a mistake", async () => {
    const workspace = emptyDirectory();
    const link = path.join(emptyDirectory(), "everything");
    symlinkSync("/", link);
    const [home, dangling] = [emptyDirectory(), path.join(emptyDirectory(), "later")];
    symlinkSync(path.join(workspace, "not-there-yet"), dangling);
    mkdirSync(path.join(home, "ann"));
    for (const [args, why, environment = {}] of [
      [["--workspace", path.join(workspace, "gone")], /there is no such directory/],
      [["--workspace", "/"], /the whole file system/],
      [["--workspace", link], /the whole file system/],
      [["--workspace", workspace, "--memory", path.join(workspace, "memory")], /choose a directory outside/],
      [["--workspace", workspace, "--memory", dangling], /choose a directory outside/],
      [["--workspace", workspace, "--memory", path.join(dangling, "memory")], /choose a directory outside/],
      [["--workspace", workspace, "--memory", ""], /Cannot read --memory: found nothing/],
      [["--workspace", home], /holds the home directory/, { HOME: path.join(home, "ann") }],
      [["--workspace", path.join(home, "ann")], /is the home directory/, { HOME: path.join(home, "ann") }],
      [["--workspace", workspace], /temporary files in \/not-there/, { TMPDIR: "/not-there" }],
      [
        ["--workspace", workspace, "--http", "0"],
        /a space or a character beyond ASCII/,
        { DISPATCH_MCP_TOKEN: "ü".repeat(20) },
      ],
      [["--frobnicate"], /Unknown option/],
      [["--http", "eighty"], /Cannot read --http/],
    ] as readonly (readonly [string[], RegExp, Record<string, string>?])[]) {
      const { ended, written } = startServer(args, emptyDirectory(), undefined, environment);
      expect([await ended, written.stderr]).toEqual([2, expect.stringMatching(why)]);
      expect(written.stdout).toBe("");
    }
  });

  test("explains itself", async () => {
    const { ended, written } = startServer(["--help"]);
    expect(await ended).toBe(0);
    for (const word of ["--workspace", "--memory", "--http", "npx -y @dispatch/mcp-server"])
      expect(written.stdout).toContain(word);
  });
});
