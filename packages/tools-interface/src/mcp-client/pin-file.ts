import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { isJsonObject } from "../json/json.ts";
import { Semaphore } from "../wait/semaphore.ts";
import type { McpPin, McpPins } from "./pins.ts";

const VERSION = 1;

/**
 * Remembers in a JSON file, which can be committed and reviewed like any lock file. It is read anew for each question, and replaced
 * as a whole. A file that is not there is empty.
 *
 * @throws {Error} From `get` and `set`, when the file is no file of pins.
 *
 * @example
 * ```ts
 * const server = { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] };
 * const files = connectMcp("files", server, { pins: pinFile("mcp-pins.json") });
 * ```
 */
export function pinFile(file: string): McpPins {
  const oneAtATime = new Semaphore(1);
  return {
    async get(server, tool) {
      const servers = await readPins(file);
      return servers.get(server)?.get(tool);
    },
    set: (server, tool, pin) =>
      oneAtATime.run(async () => {
        const servers = await readPins(file);
        const tools = servers.get(server) ?? new Map<string, McpPin>();
        servers.set(server, tools.set(tool, pin));
        await replace(file, servers);
      }),
  };
}

type Servers = Map<string, Map<string, McpPin>>;

async function readPins(file: string): Promise<Servers> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return new Map();
  const read = JSON.parse(text) as unknown;
  if (!isJsonObject(read) || read["version"] !== VERSION || !isJsonObject(read["servers"])) {
    throw new Error(`Cannot read ${file}: it is no file of pins of version ${VERSION}`);
  }
  return new Map(
    Object.entries(read["servers"]).map(([server, tools]) => [
      server,
      new Map(Object.entries(isJsonObject(tools) ? tools : {}) as [string, McpPin][]),
    ]),
  );
}

async function replace(file: string, servers: Servers): Promise<void> {
  const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
    [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const plain = sorted(servers).map(([server, tools]) => [server, Object.fromEntries(sorted(tools))] as const);
  const text = `${JSON.stringify({ version: VERSION, servers: Object.fromEntries(plain) }, undefined, 2)}\n`;
  const fresh = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(fresh, text, { flag: "wx" });
    await rename(fresh, file);
  } finally {
    await rm(fresh, { force: true });
  }
}
