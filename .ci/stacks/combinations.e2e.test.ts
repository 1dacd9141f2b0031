/** Installs the packages as a user does, with each version of the others that they promise to work with, away from here. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";

const here = import.meta.dirname;
const tarballs = path.join(here, "node_modules/.tarballs");
const run = promisify(execFile);

/** The oldest Node that the packages promise, and this one. Memory needs features of Node 22.16. */
const NODE_20 = path.join(here, "node_modules/node/bin/node");
const NODE_22 = path.join(here, "node_modules/node-22/bin/node");
const NODES = [NODE_20, process.execPath];

type Versions = Readonly<Record<string, string>>;

/** A tarball's address as npm takes it. */
function tarball(name: string): string {
  const file = readdirSync(tarballs).find((one) => one.startsWith(`dispatch-${name}-`));
  return `file:${path.join(tarballs, file ?? name)}`;
}

/** Installs packages of ours, by name, beside others, in a directory of their own. Peers that do not fit are an error. */
async function install(ours: readonly string[], others: Versions, ...options: string[]): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), "dispatch-combination-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const own = Object.fromEntries(ours.map((name) => [`@dispatch/${name}`, tarball(name)]));
  const manifest = { name: "combination", private: true, type: "module", dependencies: { ...own, ...others } };
  // Dependencies between our own packages are not at the registry before the first release.
  const overrides = Object.fromEntries(Object.keys(own).map((name) => [name, `$${name}`]));
  writeFileSync(path.join(directory, "package.json"), JSON.stringify({ ...manifest, overrides }));
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  await run("npm", ["install", "--prefer-offline", "--ignore-scripts", ...quiet, ...options], { cwd: directory });
  return directory;
}

/** The output of a program that was copied into a directory, with each Node. */
async function printed(
  directory: string,
  name: string,
  nodes: readonly string[],
  ...args: string[]
): Promise<string[]> {
  cpSync(path.join(here, "combinations", `${name}.js`), path.join(directory, `${name}.js`));
  const options = { cwd: directory, env: { PATH: process.env["PATH"] }, timeout: 60_000 };
  const found = await Promise.all(nodes.map((node) => run(node, [`${name}.js`, ...args], options)));
  return found.map(({ stdout }) => stdout.trim());
}

/** Checks the types of the programs in a directory as a strict user does, those of the packages' declarations included. */
async function checkTypes(directory: string): Promise<string> {
  const settings = ["--strict", "--checkJs", "--noEmit", "--target", "es2023", "--module", "nodenext"];
  const roots = ["--typeRoots", path.join(here, "../../node_modules/@types"), "--types", "node"];
  const files = readdirSync(directory).filter((name) => name.endsWith(".js"));
  return run("tsc", [...settings, ...roots, ...files], { cwd: directory }).then(
    () => "",
    (error: unknown) => String((error as { stdout?: unknown }).stdout),
  );
}

describe.concurrent("installed by npm", () => {
  test.each<[what: string, others: Versions, program: string]>([
    ["Zod 3.24", { zod: "3.24.0" }, "zod"],
    ["Zod 3 of the last version", { zod: "^3.25.0" }, "zod"],
    ["Zod 4.0", { zod: "4.0.0" }, "zod"],
    ["Zod 4.1", { zod: "4.1.0" }, "zod"],
    ["the last Zod", { zod: "^4.0.0" }, "zod"],
    ["nothing", {}, "alone"],
  ])("tools-interface works beside %s", async (_what, others, program) => {
    const directory = await install(["tools-interface", "providers", "policy", "durable"], others);
    expect(await printed(directory, program, NODES)).toEqual(["works", "works"]);
    expect(await checkTypes(directory)).toBe("");
    if (program === "zod") return;
    const needing = "./zod-mini";
    const [found] = await printed(directory, "every-entry", [NODE_20], "@dispatch/tools-interface");
    expect(needing.split(" ")).toEqual(expect.arrayContaining((found ?? "").split(" ")));
  });

  test("tools-interface and the packages around it can be imported whole beside all that they may use, in the oldest versions", async () => {
    const mcp = { "@modelcontextprotocol/client": "2.4.0", "@modelcontextprotocol/server": "2.4.0" };
    const durable = { "@dbos-inc/dbos-sdk": "5.3.0", pg: "8.16.0" };
    const others = {
      zod: "^4.2.0",
      "@opentelemetry/api": "1.9.0",
      ...mcp,
      ...durable,
    };
    const ours = ["tools-interface", "providers", "otel", "agent", "policy", "mcp", "durable"];
    const directory = await install(ours, { ...others, "@modelcontextprotocol/node": "2.1.0" });
    const names = ours.map((name) => `@dispatch/${name}`);
    expect(await printed(directory, "every-entry", NODES, ...names)).toEqual(["", ""]);
  });

  test.each<[what: string, others: Versions]>([
    ["nothing", {}],
    ["Zod 3.24", { zod: "3.24.0" }],
  ])("tool-files works beside %s", async (_what, others) => {
    const directory = await install(["tools-interface", "tool-files"], others);
    expect(await printed(directory, "files", NODES)).toEqual(["works", "works"]);
    expect(await checkTypes(directory)).toBe("");
  });

  test.each<[what: string, others: Versions, said: RegExp]>([
    ["its engine", { "quickjs-wasi": "3.6.2", amaro: "1.2.1" }, /^works$/],
    ["nothing, and says what to install", {}, /quickjs-wasi/],
  ])("tool-code works beside %s", async (_what, others, said) => {
    // Without Deno's program, which the tests of the package run.
    const directory = await install(["tools-interface", "tool-code"], others, "--omit=optional");
    for (const text of await printed(directory, "code", NODES)) expect(text).toMatch(said);
    expect(await checkTypes(directory)).toBe("");
  });

  test.each<[what: string, others: Versions, said: string]>([
    ["nothing", {}, "memory_driver"],
    ["the oldest driver", { pg: "8.16.0" }, "memory_connection"],
  ])("tool-memory works beside %s", async (_what, others, said) => {
    const directory = await install(["tools-interface", "tool-memory"], others);
    expect(await printed(directory, "memory", [NODE_22, process.execPath])).toEqual([said, said]);
    expect(await checkTypes(directory)).toBe("");
  });

  test("mcp-server works with nothing of ours beside it", async () => {
    const directory = await install(["mcp-server"], {});
    expect(readdirSync(path.join(directory, "node_modules/@dispatch"))).toEqual(["mcp-server"]);
    expect(await printed(directory, "server", [NODE_22, process.execPath])).toEqual(["works", "works"]);
  });

  test.each<[what: string, others: Versions]>([
    ["AI SDK 7 and OpenAI Agents", { ai: "^7.0.0", "@openai/agents": "^0.20.0" }],
    ["AI SDK 6 and SDKs", { ai: "^6.0.0", "@anthropic-ai/sdk": "^1.0.0", openai: "^7.0.0", "@google/genai": "^3.0.0" }],
  ])("npm finds versions that fit beside %s", async (_what, others) => {
    await install(["tools-interface", "tool-files"], { zod: "^4.0.0", ...others }, "--package-lock-only");
  });
});
