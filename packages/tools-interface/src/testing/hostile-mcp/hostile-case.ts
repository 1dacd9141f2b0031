import { startHostileServer, type HostileScript, type HostileServer } from "./hostile-server.ts";
import type { McpOutcome, McpSession, McpSubject, ShownMcpTool } from "./mcp-subject.ts";

/** One way in which an MCP server can be wrong, and what a client must keep. */
export interface HostileMcpCase {
  /** What it is about. */
  readonly topic: "tools" | "names" | "pages" | "results" | "protocol" | "changes";
  /** What the server does. */
  readonly name: string;
  /** @throws {Error} That says what was not kept. */
  readonly run: (subject: McpSubject) => Promise<void>;
}

/** What a case does with a session and its server. */
export type Trial = (session: McpSession, server: HostileServer) => Promise<void>;

/** Longest time of one request, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 1_500;
/** A case that takes longer hangs. */
const CASE_TIMEOUT_MS = 15_000;
/** A secret that no other server may see. */
export const SECRET = { "X-Api-Key": "secret-of-the-host" } as const;

/** A case over one server. */
export function hostileCase(
  topic: HostileMcpCase["topic"],
  name: string,
  script: HostileScript | (() => HostileScript),
  trial: Trial,
): HostileMcpCase {
  return {
    topic,
    name,
    async run(subject) {
      const server = await startHostileServer(typeof script === "function" ? script() : script);
      let session: McpSession | undefined;
      try {
        await inTime(
          (async () => {
            session = lazy(subject, server.url);
            await trial(session, server);
          })(),
        );
      } finally {
        await inTime(session?.close() ?? Promise.resolve()).catch(() => {});
        await server.close();
      }
    },
  };
}

/** A session that is connected when it is first used, so that a client which refuses to connect is told apart from none. */
function lazy(subject: McpSubject, url: string): McpSession {
  let connected: Promise<McpSession> | undefined;
  const get = (): Promise<McpSession> =>
    (connected ??= subject.connect(url, { timeoutMs: REQUEST_TIMEOUT_MS, headers: SECRET }));
  return {
    tools: async () => (await get()).tools(),
    call: async (name, params) => (await get()).call(name, params),
    async close() {
      await (await connected?.catch(() => undefined))?.close();
    },
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${CASE_TIMEOUT_MS} ms`)), CASE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The good tool is there and works. */
export async function expectGood(session: McpSession): Promise<void> {
  const outcome = await callGood(session);
  check(outcome.success && outcome.text.includes("ok"), `the good tool answered ${show(outcome)}`);
}

/** Calls the good tool, whatever the client calls it. */
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
