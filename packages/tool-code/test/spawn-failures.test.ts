import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { createToolRegistry } from "@dispatch/tools-interface";
import { beforeEach, describe, expect, test } from "vitest";
import { DenoRuntime, type DenoRuntimeOptions } from "../src/deno/index.ts";
import { registerCodeTool } from "../src/index.ts";
import { hostArguments } from "./host-process.ts";
import { noTools, temporaryDirectory } from "./sandbox.ts";

const NOT_STARTED = "the process that was to run the program did not start";

/** A file that could be executed. */
function program(): string {
  const file = path.join(temporaryDirectory(), "deno");
  writeFileSync(file, "#!/bin/sh\n", { mode: 0o755 });
  return file;
}

/**
 * Runs one program in a runtime that `spoil` makes unable to start it. Returns the outcome and the files left on disk.
 */
async function runSpoiled(options: DenoRuntimeOptions, spoil: () => void = () => undefined) {
  const tempDir = temporaryDirectory();
  await using runtime = new DenoRuntime({ prewarm: 0, tempDir, onContainment: () => undefined, ...options });
  spoil();
  const outcome = await runtime.execute({ code: "1", callTool: noTools });
  await runtime.close();
  return { ...outcome, left: readdirSync(tempDir) };
}

describe("execute() of a process that cannot be started gives the host the reason", () => {
  test("when the binary is gone", async () => {
    const denoPath = program();
    const { error, left } = await runSpoiled({ denoPath }, () => rmSync(denoPath));
    expect(error).toMatchObject({ kind: "unavailable", message: NOT_STARTED });
    expect(error?.reason).toContain("ENOENT");
    expect(left).toEqual([]);
  });

  test("when the binary may not be executed, not even by root", async () => {
    const denoPath = program();
    const { error, left } = await runSpoiled({ denoPath }, () => chmodSync(denoPath, 0o600));
    expect(error).toMatchObject({ kind: "unavailable", message: NOT_STARTED });
    expect(error?.reason).toContain("EACCES");
    expect(left).toEqual([]);
  });

  test.each([
    ["the wrap is missing", () => ["/nowhere/wrap", []] as const, "ENOENT"],
    ["the arguments are too long", () => ["/bin/true", ["x".repeat(3_000_000)]] as const, "E2BIG"],
    [
      "the wrap throws",
      () => {
        throw new Error("no namespace");
      },
      "no namespace",
    ],
    [
      "the wrap ends at once",
      () => ["/bin/sh", ["-c", "echo not allowed here >&2; exit 3"]] as const,
      "not allowed here",
    ],
    ["it ends without a word", () => ["/bin/sh", ["-c", "exit 3"]] as const, "code 3"],
    ["it is killed", () => ["/bin/sh", ["-c", "kill -9 $$"]] as const, "SIGKILL"],
  ])("when %s", async (_, wrap, reason) => {
    const { error, left } = await runSpoiled({ wrap });
    expect(error).toMatchObject({ kind: "unavailable", message: NOT_STARTED });
    expect(error?.reason).toContain(reason);
    expect(left).toEqual([]);
  });

  test("when there is no place for its directory", async () => {
    const tempDir = path.join(temporaryDirectory(), "t");
    mkdirSync(tempDir);
    await using runtime = new DenoRuntime({ prewarm: 0, tempDir });
    rmdirSync(tempDir);
    const { error } = await runtime.execute({ code: "1", callTool: noTools });
    expect(error).toMatchObject({ kind: "unavailable", message: NOT_STARTED });
    expect(error?.reason).toContain("ENOENT");
  });

  test("and never the model", async () => {
    await using runtime = new DenoRuntime({ prewarm: 0, wrap: () => ["/nowhere/wrap", []] });
    const registry = registerCodeTool(createToolRegistry(), { runtime });
    const result = await registry.dispatch("execute_code", { code: "1" });
    expect(result.toString()).not.toContain("/nowhere");
    expect(result.metadata).toMatchObject({ reason: expect.stringContaining("/nowhere/wrap") });
  });
});

/** Closes the descriptors that the tests were given: beyond the limit, they cannot be closed in programs. */
const CLOSING = 'for d in /proc/$$/fd/*; do d=${d##*/}; ((d < 3 || d == 255)) || eval "exec $d>&-"; done;';

/** A host that uses up its descriptors, runs programs, gives the descriptors back and runs another. */
const HOST = `
import { closeSync, openSync, readdirSync } from "node:fs";
const [, prewarm = "", kept = "", tempDir = ""] = process.argv;
const results = [];
const record = (of, outcome) => results.push([of, outcome.ok, outcome.value, outcome.error?.kind, outcome.error?.message, outcome.error?.reason]);
const runtime = new DenoRuntime({ tempDir, prewarm: Number(prewarm) });
const callTool = async () => 0;
const program = { code: "1 + 1", callTool };
if (prewarm === "1") record("first", await runtime.execute(program));
const open = [];
try { for (;;) open.push(openSync("/dev/null")); } catch {}
for (const descriptor of open.splice(0, Number(kept))) closeSync(descriptor);
for (let at = 0; at < 3; at += 1) record("spent", await runtime.execute(program));
for (const descriptor of open) closeSync(descriptor);
record("after", await runtime.execute(program));
await runtime.close();
console.log(JSON.stringify({ results, left: readdirSync(tempDir) }));
`;

describe("a host without descriptors", () => {
  beforeEach(({ skip }) => skip(process.platform !== "linux", "needs Linux"));

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])("lives on, and so do its programs, with %i descriptors left", async (kept) => {
    const limited = ["-c", `${CLOSING} ulimit -n 80; exec "$@"`, "bash", process.execPath];
    const host = hostArguments(HOST, `${kept % 2}`, `${kept}`, temporaryDirectory());
    const { stdout } = await promisify(execFile)("/bin/bash", [...limited, ...host]);
    const { results, left } = JSON.parse(stdout) as { results: unknown[][]; left: string[] };
    expect(left).toEqual([]);
    for (const [of, ok, value, kind, message, reason] of results) {
      if (ok === true) expect(value).toBe(2);
      else {
        expect([of, kind, message]).toEqual(["spent", "unavailable", NOT_STARTED]);
        expect(reason).toMatch(/EMFILE|descriptor/);
      }
    }
    expect(results.at(-1)?.slice(0, 3)).toEqual(["after", true, 2]);
  });
});
