import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client, StreamableHTTPClientTransport, type CallToolResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { main, nodeOptions, plainEnvironment } from "./run-agent.ts";

/** The revision of the protocol that a client insists on. */
export type Era = "legacy" | "modern";

/** The reaction of the person at the client to a form. */
export type Reply = (form: { readonly message: string }) => {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string | number | boolean | string[]>;
};

/** How a client connects. */
export interface ClientOptions {
  readonly era?: Era;
  /** Answers forms. Default: the client cannot ask anybody. */
  readonly reply?: Reply;
}

export const yes: Reply = () => ({ action: "accept", content: { approve: true } });

/** The token of servers started here. */
export const TOKEN = "a-token-for-tests-only";

/** The first message of a client that is written by hand. */
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

const clients: Client[] = [];
/** A server that its client kills on a busy machine leaves its temporary files. */
const temporaries: string[] = [];
const processes: Pick<ServerProcess, "child" | "ended">[] = [];

/** Ends every client and every server that was started here. */
export async function endAll(): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const temporary of temporaries.splice(0)) rmSync(temporary, { recursive: true, force: true });
  await Promise.all(
    processes.splice(0).map(({ child, ended }) => {
      child.kill("SIGKILL");
      return ended;
    }),
  );
}

const nodeArguments = (args: readonly string[]): string[] => [...nodeOptions, main, "mcp", ...args];

/** The official client, over stdio, with a server process of its own. */
export async function connectStdio(args: readonly string[], options: ClientOptions = {}): Promise<Client> {
  const temporary = mkdtempSync(path.join(tmpdir(), "mcp-server-"));
  temporaries.push(temporary);
  const env = { ...(plainEnvironment() as Record<string, string>), TMPDIR: temporary };
  const command = { command: process.execPath, args: nodeArguments(args), env, stderr: "ignore" as const };
  const client = createClient(options);
  await client.connect(new StdioClientTransport(command));
  return client;
}

/** The official client, over HTTP. */
export async function connectHttp(url: string, options: ClientOptions = {}): Promise<Client> {
  const client = createClient(options);
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

function createClient({ era = "legacy", reply }: ClientOptions): Client {
  const capabilities = reply ? { elicitation: {} } : {};
  const mode = era === "modern" ? ({ pin: "2026-07-28" } as const) : "legacy";
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  if (reply) client.setRequestHandler("elicitation/create", ({ params }) => reply(params));
  clients.push(client);
  return client;
}

/** Calls a tool; answers its result with all its text in one. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<CallToolResult & { readonly text: string }> {
  const result = await client.callTool({ name, arguments: args });
  return { ...result, text: result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
}

/** A server process whose ends are in the test's hands. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** Everything written so far. */
  readonly written: { stdout: string; stderr: string };
  /** The exit code. */
  readonly ended: Promise<number | null>;
  /** Waits until stdout or stderr holds this. */
  seen(what: RegExp): Promise<RegExpExecArray>;
}

/** Starts the server and nothing that talks to it. */
export function startServer(args: readonly string[], env: NodeJS.ProcessEnv = {}): ServerProcess {
  // A server that is killed leaves its temporary files.
  const temporary = mkdtempSync(path.join(tmpdir(), "mcp-server-"));
  const child = spawn(process.execPath, nodeArguments(args), {
    env: { ...plainEnvironment(), TMPDIR: temporary, ...env },
  });
  const written = { stdout: "", stderr: "" };
  let look = (): void => {};
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
      look();
    });
  }
  const ended = new Promise<number | null>((resolve) =>
    child.once("close", (code) => {
      rmSync(temporary, { recursive: true, force: true });
      resolve(code);
    }),
  );
  processes.push({ child, ended });
  const seen = (what: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      look = () => {
        const found = what.exec(written.stdout) ?? what.exec(written.stderr);
        if (found !== null) resolve(found);
      };
      look();
      void ended.then(() => reject(new Error(`Never seen: ${what}, but:\n${written.stdout}\n${written.stderr}`)));
    });
  return { child, written, ended, seen };
}
