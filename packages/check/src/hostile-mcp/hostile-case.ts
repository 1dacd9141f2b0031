import { startHostileServer, type HostileScript, type HostileServer } from "./hostile-server.ts";
import type { McpOutcome, McpSession, McpSubject, ShownMcpTool } from "./mcp-subject.ts";

/** One misbehaviour of an MCP server, and the requirement on a client. */
export interface HostileMcpCase {
  /** The topic. */
  readonly topic: "tools" | "names" | "pages" | "results" | "protocol" | "changes";
  /** The server's misbehaviour. */
  readonly name: string;
  /** @throws {Error} With the broken requirement. */
  readonly run: (subject: McpSubject, options?: HostileMcpRunOptions) => Promise<void>;
}

/** How a case is run. */
export interface HostileMcpRunOptions {
  /** A client that has not ended its part after so long hangs, in milliseconds. Default 60,000. */
  readonly hangMs?: number;
}

/** A case's steps with a session and its server. */
export type Trial = (session: McpSession, server: HostileServer) => Promise<void>;

/** Longest time of one request, in milliseconds, where the server answers: none is waited for so long. */
const REQUEST_TIMEOUT_MS = 30_000;
/** The same where the server may never answer, and the client's own limit ends the request. */
export const SILENT_TIMEOUT_MS = 1_500;
const DEFAULT_HANG_MS = 60_000;
/** How often a client that waits after a lost connection is asked again. */
const TRIES = 40;
/** A secret that no other server may see. */
export const SECRET = { "X-Api-Key": "secret-of-the-host" } as const;

/**
 * A case over one server.
 *
 * @param timeoutMs - Longest time of one request, as the host sets it.
 */
export function hostileCase(
  topic: HostileMcpCase["topic"],
  name: string,
  script: HostileScript | (() => HostileScript),
  trial: Trial,
  timeoutMs = REQUEST_TIMEOUT_MS,
): HostileMcpCase {
  return {
    topic,
    name,
    async run(subject, { hangMs = DEFAULT_HANG_MS } = {}) {
      const server = await startHostileServer(typeof script === "function" ? script() : script);
      let session: McpSession | undefined;
      try {
        await inTime(
          (async () => {
            session = lazy(subject, server.url, timeoutMs);
            await trial(session, server);
          })(),
          hangMs,
        );
      } finally {
        await inTime(session?.close() ?? Promise.resolve(), hangMs).catch(() => {});
        await server.close();
      }
    },
  };
}

/**
 * A session that connects when it is first used, so that a client which refuses to connect is distinguished from none.
 */
function lazy(subject: McpSubject, url: string, timeoutMs: number): McpSession {
  let connected: Promise<McpSession> | undefined;
  const get = (): Promise<McpSession> => (connected ??= subject.connect(url, { timeoutMs, headers: SECRET }));
  return {
    tools: async () => (await get()).tools(),
    call: async (name, params) => (await get()).call(name, params),
    async close() {
      await (await connected?.catch(() => undefined))?.close();
    },
  };
}

async function inTime<T>(work: Promise<T>, hangMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${hangMs} ms`)), hangMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Tries again until it succeeds: after a lost connection a client may wait before it tries again. The case's limit ends it. */
export async function eventually(work: () => Promise<void>): Promise<void> {
  let last: unknown;
  for (let time = 0; time < TRIES; time += 1) {
    try {
      return await work();
    } catch (error) {
      last = error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw last;
}

/** The good tool is there and works. */
export async function expectGood(session: McpSession): Promise<void> {
  const outcome = await callGood(session);
  check(outcome.success && outcome.text.includes("ok"), `the good tool answered ${show(outcome)}`);
}

/** Calls the good tool, by the client's name for it. */
export async function callGood(session: McpSession): Promise<McpOutcome> {
  const tool = toolOf(await session.tools(), "good");
  return session.call(tool.name, {});
}

/** The tool that the server calls so, by the end of its name. */
export function toolOf(tools: readonly ShownMcpTool[], name: string): ShownMcpTool {
  const found = tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name.endsWith(`_${name}`));
  if (found === undefined) throw new Error(`no tool ${name} is offered, but ${show(tools.map((tool) => tool.name))}`);
  return found;
}

/** The call ends, well or badly, with a text or an error; and never with something else. */
export async function settled(work: Promise<McpOutcome>): Promise<McpOutcome> {
  try {
    const outcome = await work;
    check(typeof outcome.text === "string", "the outcome is no text");
    return outcome;
  } catch (error) {
    check(error instanceof Error, "something else than an Error was thrown");
    return { success: false, text: (error as Error).message };
  }
}

/** @throws {Error} Unless it holds. */
export function check(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

/** A value in a sentence. */
export function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 300);
}
