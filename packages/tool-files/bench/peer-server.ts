import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The directory of the peers in the comparison: a package root of its own. */
const peers = fileURLToPath(new URL("../peers", import.meta.url));

/** A file server of another make, in a process of its own, spoken to over its standard streams. */
export interface PeerServer {
  /** Calls a tool of it and answers its text. Throws when the tool says that it failed. */
  call(name: string, params: object): Promise<string>;
  /** Ends it. */
  close(): Promise<void>;
}

/** The part of the official client that is used here. */
interface Client {
  connect(transport: unknown): Promise<void>;
  callTool(
    call: { name: string; arguments: object },
    schema: undefined,
    options: { timeout: number },
  ): Promise<{ isError?: boolean; content: { text: string }[] }>;
  close(): Promise<void>;
}

/** Installs the peers that their lockfile names, and starts `@modelcontextprotocol/server-filesystem` for a directory. */
export async function startPeerServer(root: string): Promise<PeerServer> {
  const args = ["--yes", "pnpm", "--dir", peers, "install", "--frozen-lockfile", "--silent"];
  execFileSync("npx", args, { stdio: ["ignore", "ignore", "inherit"] });
  const require = createRequire(join(peers, "package.json"));
  const load = (module: string) =>
    import(pathToFileURL(require.resolve(module)).href) as Promise<Record<string, unknown>>;
  const { Client } = (await load("@modelcontextprotocol/sdk/client/index.js")) as {
    Client: new (info: object) => Client;
  };
  const { StdioClientTransport } = (await load("@modelcontextprotocol/sdk/client/stdio.js")) as {
    StdioClientTransport: new (options: object) => unknown;
  };
  const client = new Client({ name: "bench", version: "0.0.0" });
  const server = join(peers, "node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js");
  // Its tree of 70,000 files exceeds the client's default buffer.
  const maxBufferSize = 1024 * 1024 * 1024;
  const options = { command: process.execPath, args: [server, root], stderr: "ignore", maxBufferSize };
  await client.connect(new StdioClientTransport(options));
  return {
    async call(name, params) {
      const result = await client.callTool({ name, arguments: params }, undefined, { timeout: 300_000 });
      const text = result.content.map((part) => part.text).join("");
      if (result.isError) throw new Error(`Cannot compare: ${name} failed with ${text}`);
      return text;
    },
    close: () => client.close(),
  };
}
