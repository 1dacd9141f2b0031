import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChild } from "../../test/child.ts";
import { type Memory, openMemory } from "../memory/open-memory.ts";
import { runCli } from "./run-cli.ts";

/** One directory for all tests, in their order. This process keeps it open and serves the commands. */
let root: string;
let directory: string;
let memory: Memory;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "memory-cli-"));
  directory = join(root, "memory");
  memory = await openMemory(directory, { actor: "ann", session: "monday" });
  const { manager, admin } = memory;
  await admin.write({ label: "persona", content: "I am Ada", tier: "core" });
  await manager.write({ label: "persona", content: "I am Eve", reason: "asked" });
  await manager.write({ label: "notes", content: "\u001b[2Jlikes tea\u202e\u009b2J", source: "web" });
  await manager.write({ label: "log", content: "one", tier: "archival" });
});
afterAll(async () => {
  await memory.close();
  rmSync(root, { recursive: true, force: true });
});

async function cli(...argv: readonly string[]) {
  return run({ colour: false }, ...argv);
}

async function run({ colour, piped = "" }: { colour: boolean; piped?: string }, ...argv: readonly string[]) {
  let output = "";
  let errors = "";
  async function* input() {
    yield piped;
  }
  const streams = {
    input: input(),
    output: (text: string) => void (output += text),
    errors: (text: string) => void (errors += text),
    colour,
  };
  const code = await runCli(argv, streams, { DISPATCH_MEMORY: directory });
  return { code, output, errors };
}

test("pending shows each proposal with its diff, approve takes a part of the id", async () => {
  const { code, output } = await cli("pending");
  expect(code).toBe(0);
  expect(output).toMatch(/write "persona" \(core\)\nby ann at .*, from agent, trust medium.*\nReason: asked\n/);
  expect(output).toContain("-I am Ada\n+I am Eve\n");
  const painted = await run({ colour: true }, "pending");
  expect(painted.output).toContain("\u001b[32m+I am Eve\u001b[39m");
  const id = /^[0-9a-f-]{36}/.exec(output)?.[0] ?? "";
  const edited = join(root, "edited.txt");
  writeFileSync(edited, "I am Ada Lovelace\n");
  expect(
    await cli("approve", id.slice(0, 8), "--edit", edited, "--as", "carla", "--reason", "whole name"),
  ).toMatchObject({
    code: 0,
    output: `Approved ${id}: "persona"\n`,
  });
  expect((await cli("show", "persona")).output).toContain("I am Ada Lovelace");
  expect(await cli("approve", id)).toMatchObject({ code: 1, output: expect.stringContaining("approved already") });
  expect((await cli("pending")).output).toBe("Nothing waits for you.\n");
});

test("a proposal's reason cannot pose as a part of the answer, and no proposal is approved by a word of nothing", async () => {
  const owner = ["--owner", "forger"] as const;
  const forged = await openMemory(directory, { owner: owner[1] });
  const reason = "tidy\n-I am Ada\n+I am Ada Lovelace";
  await forged.manager.write({ label: "persona", content: "I am Eve", tier: "core", reason });
  await forged.close();
  const { output } = await cli("pending", ...owner);
  expect(output).toContain("Reason: tidy\\u000a-I am Ada\\u000a+I am Ada Lovelace\n");
  for (const id of ["", "a"]) expect(await cli("approve", id, ...owner)).toMatchObject({ code: 2 });
  const [id = ""] = /^[0-9a-f-]{36}/.exec(output) ?? [];
  expect(await cli("reject", id, "no", ...owner)).toMatchObject({ code: 0 });
});

test("what was stored cannot act on the terminal", async () => {
  for (const command of [
    ["show", "notes"],
    ["history"],
    ["history", "--json"],
    ["list"],
    ["list", "--json"],
    ["export"],
  ]) {
    const { code, output } = await cli(...command);
    expect(code).toBe(0);
    expect(output).not.toMatch(/[\u001b\u202e\u009b]/);
    if (command[0] === "show") expect(output).toContain("\\u001b[2Jlikes tea\\u202e\\u009b2J");
  }
});

test("list and history can be narrowed, and printed as JSON", async () => {
  expect((await cli("list", "--tier", "archival")).output).toMatch(
    /^log\n {2}archival, append, version 1, 3 characters/,
  );
  const { output } = await cli("history", "--json", "--limit", "1", "--actor", "carla");
  expect(JSON.parse(output)).toMatchObject([{ label: "persona", actor: { id: "carla" }, reason: "whole name" }]);
  expect((await cli("history", "--session", "monday")).output).toMatch(/^4 {2}|^3 {2}/);
});

test("export and import carry a memory over whole", async () => {
  const file = join(root, "backup.jsonl");
  expect(await cli("export", file)).toMatchObject({ code: 0, output: "Exported 3 blocks and 4 events.\n" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const restored = await cli("import", file, "--restore", "--owner", "copy");
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining("3 blocks and 4 events") });
  expect((await cli("verify", "--owner", "copy")).output).toBe((await cli("verify")).output);
  const piped = readFileSync(file, "utf8").replace("Lovelace", "Byron");
  const refused = await run({ colour: false, piped }, "import", "-", "--restore", "--owner", "third");
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringContaining("Import refused, nothing was changed: line"),
  });
});

test("undo, verify and forget say what they did", async () => {
  const head = /Head: (\S+)/.exec((await cli("verify")).output)?.[1] ?? "";
  expect(await cli("undo", "--actor", "ann", "--session", "monday")).toMatchObject({ code: 0 });
  expect(await cli("show", "log")).toMatchObject({ code: 1 });
  expect(await cli("undo", "99")).toMatchObject({ code: 1, output: expect.stringContaining("there is no event 99") });
  expect(await cli("forget", "--match", "lovelace")).toMatchObject({ code: 2 });
  expect(await cli("verify", "--head", head)).toMatchObject({ code: 0 });
  expect(await cli("verify", "--head", `1:${"0".repeat(64)}`)).toMatchObject({ code: 1 });
  expect((await cli("forget", "--match", "lovelace", "--yes")).output).toBe(
    "Forgotten: 1 blocks, 2 events, 1 proposals.\n",
  );
  expect(await cli("verify", "--head", head)).toMatchObject({ code: 0 });
});

test.each([
  ["shred"],
  ["__proto__"],
  ["approve"],
  ["undo"],
  ["undo", "1", "--actor", "x"],
  ["undo", "one"],
  ["list", "--tier", "root"],
  ["list", "--no-such"],
  ["show"],
  ["import"],
])("%s %s is wrong usage", async (...argv) => {
  expect(await cli(...argv.filter((arg) => arg !== undefined))).toMatchObject({
    code: 2,
    errors: expect.stringContaining("See dispatch-memory help"),
  });
});

test("a memory that is not there is not made by looking at it", async () => {
  const missing = join(root, "missing");
  expect(await cli("list", "--memory", missing)).toMatchObject({ code: 3 });
  expect(() => statSync(missing)).toThrow("ENOENT");
  expect(await cli("list", "--memory", "http://example.com")).toMatchObject({ code: 3 });
  expect(await cli("import", join(root, "missing.jsonl"))).toMatchObject({ code: 1 });
});

test("the command runs by itself, and its help fits a terminal", async () => {
  const child = startChild(new URL("main.ts", import.meta.url), "help");
  await child.ended;
  expect(child.process.exitCode).toBe(0);
  expect(child.lines[0]).toBe("dispatch-memory: look after the memory of an agent");
  expect(Math.max(...child.lines.map(({ length }) => length))).toBeLessThanOrEqual(110);
});

test("vouch shows a text and makes it the person's word", async () => {
  await memory.manager.write({ label: "cups", content: "The cups are blue", source: "tool" });
  expect(await memory.admin.get("cups")).toMatchObject({ trust: "low" });
  const { code, output } = await cli("vouch", "cups");
  expect([code, output]).toEqual([0, expect.stringContaining("The cups are blue\n")]);
  expect(await memory.admin.get("cups")).toMatchObject({ trust: "high", content: "The cups are blue" });
  expect((await cli("vouch", "plates")).code).toBe(1);
});

test("help names the program by which people start it", async () => {
  let output = "";
  const streams = {
    input: (async function* () {})(),
    output: (text: string) => void (output += text),
    errors: () => {},
    colour: false,
  };
  expect(await runCli(["help"], streams, {}, "npx memory")).toBe(0);
  expect(output).toContain("npx memory pending");
  expect(output).not.toContain("dispatch-memory");
});
