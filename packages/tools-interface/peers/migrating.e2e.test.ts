import { execFile } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { type AnyToolRegistry, createToolRegistry, defineTool, success } from "@dispatch/tools-interface";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

const registry = createToolRegistry().register(
  defineTool({
    name: "get_weather",
    description: "Tells the temperature in a city, in degrees Celsius.",
    parameters: z.object({ city: z.string() }),
    execute: ({ city }) => ({ celsius: city.length }),
  }),
);

const run = promisify(execFile);
const directory = path.join(import.meta.dirname, "generated");
const root = path.join(import.meta.dirname, "../../..");
const pages = globSync(["*.md", "packages/*/{,docs/}*.md"], { cwd: root })
  .toSorted()
  .map((name) => readFileSync(path.join(root, name), "utf8"));
const examples = [...pages.join("\n").matchAll(/^```ts peers\n(.*?)^```$/gms)].map(([, code = ""], index) => ({
  name: `example ${index + 1}`,
  file: path.join(directory, `migrating-${index + 1}.ts`),
  code,
}));

/** The example's export that contains this text. */
function load<T>(text: string): Promise<T> {
  const found = examples.find(({ code }) => code.includes(text));
  if (found === undefined) throw new Error(`Cannot load the example with ${text}: there is none`);
  return import(found.file) as Promise<T>;
}

beforeAll(() => {
  mkdirSync(directory, { recursive: true });
  for (const { file, code } of examples) writeFileSync(file, code);
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("every example with another package compiles against that package", async () => {
  expect(examples.length).toBeGreaterThan(5);
  const config = { extends: "../tsconfig.json", include: ["."] };
  writeFileSync(path.join(directory, "tsconfig.json"), JSON.stringify(config));
  const tsc = path.join(import.meta.dirname, "../../../node_modules/.bin/tsc");
  const said = await run(tsc, ["-p", directory]).catch((error: { stdout: string }) => error);
  expect(said.stdout).toBe("");
});

test.each(examples)("$name loads", async ({ file }) => {
  await expect(import(file)).resolves.toBeTruthy();
});

test("an agent of LangChain calls the tools of a registry", async () => {
  type Wrapped = readonly { invoke(call: object): Promise<{ content: unknown }> }[];
  const { toLangChainTools } = await load<{ toLangChainTools(from: AnyToolRegistry): Wrapped }>("toLangChainTools");
  const [tool] = toLangChainTools(registry);
  const call = (args: object) => tool?.invoke({ type: "tool_call", id: "1", name: "get_weather", args });
  expect((await call({ city: "Oslo" }))?.content).toBe('{"celsius":4}');
});

test("those lines for LangChain keep what the page says, and no more", async () => {
  type Message = { readonly content: unknown; readonly status?: string };
  type Wrapped = readonly { name: string; invoke(call: object, config?: object): Promise<Message> }[];
  const { toLangChainTools } = await load<{ toLangChainTools(from: AnyToolRegistry): Wrapped }>("toLangChainTools");
  const parameters = z.object({ count: z.int() });
  const started: string[] = [];
  const abort = new AbortController();
  const make = (name: string, execute: () => unknown, more: object = {}) =>
    defineTool({
      name,
      description: "Works.",
      parameters,
      ...more,
      execute: () => {
        started.push(name);
        return execute() as string;
      },
    });
  const pixel = { type: "image", data: "aW1n", mimeType: "image/png" } as const;
  const tools = toLangChainTools(
    createToolRegistry().register([
      make("break", () => {
        throw new Error("disk on fire");
      }),
      make("hang", () => new Promise(() => {}), { timeoutMs: 30 }),
      make("pay", () => "paid", { needsApproval: true }),
      make("show", () => success("shown", { content: [{ type: "text", text: "a page" }, pixel] })),
      make("wait", () => {
        abort.abort();
        return new Promise(() => {});
      }),
    ]),
  );
  const call = (name: string, args: object, config?: object) => {
    const wrapped = tools.find((tool) => tool.name === name);
    return wrapped?.invoke({ type: "tool_call", id: "1", name, args }, config);
  };
  expect(await call("break", { count: 1 })).toMatchObject({ status: "success", content: "break failed: disk on fire" });
  expect((await call("hang", { count: 1 }))?.content).toMatch(/^hang timed out/);
  expect((await call("pay", { count: 1 }))?.content).toMatch(/nobody can be asked/);
  expect((await call("show", { count: 1 }))?.content).toBe("shown");
  await expect(call("wait", { count: 1 }, { signal: abort.signal })).rejects.toThrow("aborted");
  expect(started).toEqual(["break", "hang", "show", "wait"]);
  for (const args of [{ Count: "1" }, { count: "one" }]) {
    await expect(call("show", args)).rejects.toThrow("did not match expected schema");
  }
  expect(started).toHaveLength(4);
});

test("a client of the MCP SDK calls the tools of a registry", async () => {
  const { serverOf } = await load<{ serverOf(from: AnyToolRegistry, context: object): Server }>("serverOf");
  const [here, there] = InMemoryTransport.createLinkedPair();
  await serverOf(registry, {}).connect(there);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(here);
  const { content } = await client.callTool({ name: "get_weather", arguments: { city: "Oslo" } });
  expect(content).toEqual([{ type: "text", text: '{"celsius":4}' }]);
});
