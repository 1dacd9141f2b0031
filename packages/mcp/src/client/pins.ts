import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonSchema } from "@dispatch/tools-interface";
import { canonicalText, isJsonObject, mapSchemas, Semaphore, sha256 } from "@dispatch/tools-interface/internal";
import type { ListedTool } from "./listed-tool.ts";

/** A tool as a person agreed to it. */
export interface McpPin {
  /** SHA-256, in hex, of everything the server said of the tool. */
  readonly fingerprint: string;
  /** Its description, so that a change can be shown. */
  readonly tool: ListedTool;
}

/** Remembers tools that were agreed to. */
export interface McpPins {
  /** The tool of a server as it was agreed to; `undefined` when it never was. */
  get(server: string, tool: string): Promise<McpPin | undefined>;
  /** Remembers a tool, replacing its earlier record. */
  set(server: string, tool: string, pin: McpPin): Promise<void>;
}

/** Remembers until the process ends. */
export function memoryPins(): McpPins {
  const pins = new Map<string, McpPin>();
  const key = (server: string, tool: string): string => JSON.stringify([server, tool]);
  return {
    get: (server, tool) => Promise.resolve(pins.get(key(server, tool))),
    set(server, tool, pin) {
      pins.set(key(server, tool), pin);
      return Promise.resolve();
    },
  };
}

/** Makes the pin of a tool: the same for any order of keys and of required fields, which servers may list as they like. */
export function pinOf(tool: ListedTool): McpPin {
  const { title = null, inputSchema, outputSchema } = tool;
  const schemas = { inputSchema: ordered(inputSchema), outputSchema: outputSchema ? ordered(outputSchema) : null };
  return { fingerprint: sha256(canonicalText({ ...tool, title, ...schemas })), tool };
}

function ordered(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, (node) => {
    const { required } = node;
    const isList = Array.isArray(required) && required.every((name) => typeof name === "string");
    return isList ? { ...node, required: required.toSorted() } : node;
  });
}

const VERSION = 1;
/** A process holds the lock for some milliseconds; one that died in it holds it no longer than this. */
const MAX_LOCK_MS = 5_000;
const RETRY_MS = 10;

/**
 * Remembers in a JSON file, which can be committed and reviewed like any lock file. It is read again when it has changed, and replaced
 * as a whole, by one process at a time. A file that is not there is empty.
 *
 * @throws {Error} From `get` and `set`, when the file is no file of pins, or a pin in it was changed by hand.
 *
 * @example
 * ```ts
 * const server = { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] };
 * const files = connectMcp("files", server, { pins: pinFile("mcp-pins.json") });
 * ```
 */
export function pinFile(file: string): McpPins {
  const oneAtATime = new Semaphore(1);
  let seen: { readonly version: string; readonly servers: Servers } | undefined;
  return {
    async get(server, tool) {
      const version = await versionOf(file);
      if (version === undefined) return undefined;
      if (seen?.version !== version) seen = { version, servers: await readPins(file) };
      const pin = seen.servers.get(server)?.get(tool);
      return pin === undefined ? undefined : checked(pin, `${file}, ${server}, ${tool}`);
    },
    set: (server, tool, pin) =>
      oneAtATime.run(() =>
        locked(file, async () => {
          const servers = await readPins(file);
          const tools = servers.get(server) ?? new Map<string, unknown>();
          servers.set(server, tools.set(tool, pin));
          await replace(file, servers);
        }),
      ),
  };
}

/** Unchecked pins, by server and tool. */
type Servers = Map<string, Map<string, unknown>>;

async function readPins(file: string): Promise<Servers> {
  const text = await readFile(file, "utf8").catch(unlessMissing);
  if (text === undefined) return new Map();
  const read = parsed(text);
  if (!isJsonObject(read) || read["version"] !== VERSION || !isJsonObject(read["servers"])) {
    throw new Error(
      `Cannot read ${file}: it is no file of pins of version ${VERSION}. Restore it, or delete it to be asked about every tool again`,
    );
  }
  return new Map(
    Object.entries(read["servers"]).map(([server, tools]) => [
      server,
      new Map(Object.entries(isJsonObject(tools) ? tools : {})),
    ]),
  );
}

/** A pin that does not fit its own fingerprint would show a model, or a person, a tool that nobody agreed to. */
function checked(pin: unknown, place: string): McpPin {
  const { fingerprint, tool } = isJsonObject(pin) ? pin : {};
  if (typeof fingerprint === "string" && fingerprintOf(tool) === fingerprint) return pin as McpPin;
  throw new Error(`Cannot use a pin (${place}): it was changed by hand. Restore it, or delete it to be asked again`);
}

function fingerprintOf(tool: unknown): string | undefined {
  try {
    return pinOf(tool as ListedTool).fingerprint;
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Changes with every replacement. */
async function versionOf(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(unlessMissing);
  return found && `${found.ino} ${found.size} ${found.mtimeNs}`;
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}

/** Does some work while no other process that takes the lock does. */
async function locked<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  while (!(await taken(lock))) {
    const since = (await stat(lock).catch(unlessMissing))?.mtimeMs ?? Date.now();
    // Its process died.
    if (Math.abs(Date.now() - since) > MAX_LOCK_MS) await rmdir(lock).catch(unlessMissing);
    else await wait(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    await rmdir(lock).catch(unlessMissing);
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
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
