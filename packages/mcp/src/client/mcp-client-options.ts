import type { AnyTool } from "@dispatch/tools-interface";
import type { AuthProvider, OAuthClientProvider, Transport } from "@modelcontextprotocol/client";
import type { McpElicit } from "./elicitation.ts";
import type { ListedTool } from "./listed-tool.ts";
import type { McpPins } from "./pins.ts";

/** A server that is a program, which talks over its stdin and stdout. */
export interface McpCommand {
  /** The program. */
  readonly command: string;
  /** Its arguments. Default none. */
  readonly args?: readonly string[];
  /** Its environment beside `HOME`, `PATH` and the like: the host's other variables, with their secrets, are not passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs. Default the current directory. */
  readonly cwd?: string;
  /** Where its stderr goes. Default `ignore`. */
  readonly stderr?: "ignore" | "inherit";
}

/** A server that answers streamable HTTP. */
export interface McpUrl {
  /** Its address. */
  readonly url: string | URL;
  /** Sent with every request to the address's own origin, and to no other that the server names or redirects to. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The official SDK's provider of tokens, for OAuth. */
  readonly authProvider?: AuthProvider | OAuthClientProvider;
  /**
   * Waits for the person whom `authProvider.redirectToAuthorization` sent to sign in, and returns the query of the
   * address they came back to. Compare its `state` first. The requests that needed them go on then. Default: it fails,
   * and the next call tries again.
   *
   * @param signal - Aborts when nobody waits any more.
   */
  readonly authCallback?: (signal: AbortSignal) => Promise<URLSearchParams>;
  /** Makes the requests. Default the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** A server behind a transport of the SDK's: a function, because a transport cannot be connected twice. */
export interface McpTransport {
  /** Makes a new one for each connection. */
  readonly transport: () => Transport | Promise<Transport>;
}

/** Where a server is. */
export type McpServerPlace = McpCommand | McpUrl | McpTransport;

/** Options of `connectMcp`. */
export interface McpClientOptions {
  /**
   * Which calls a person has to agree to: every one, only those of tools that are new or changed since they were agreed to,
   * or by a function of the tool. A changed tool asks in any case. Default `always`.
   */
  readonly needsApproval?: "always" | "changed" | ((tool: ListedTool, params: unknown) => boolean);
  /** Where agreed tools are remembered, such as `pinFile("mcp-lock.json")`. Default: in memory, until the process ends. */
  readonly pins?: McpPins;
  /**
   * Whether hints of the server that make a tool look harmless (`readOnlyHint`, `idempotentHint`) are believed: such tools then run
   * beside others. Default false; hints that make it look harmful always count.
   */
  readonly trustAnnotations?: boolean;
  /** Answers the server's questions to the user. Default: the server is told that nobody can be asked. */
  readonly elicit?: McpElicit;
  /** Called when the server says that its tools have changed, with the new ones. */
  readonly onToolsChanged?: (tools: readonly AnyTool[]) => void;
  /** How long one call may run, in milliseconds, approval not counted. Default 120,000. */
  readonly timeoutMs?: number;
  /** How long connecting, and listing the tools, may take, in milliseconds. Default 30,000. */
  readonly connectTimeoutMs?: number;
  /** Characters a model is shown of one result. Default 100,000. */
  readonly maxOutputChars?: number;
  /** Bytes of one message of the server; a longer one ends the connection and fails the call. Default 16 MiB. */
  readonly maxMessageBytes?: number;
  /** Tools that are taken from the server. Default 1,000. */
  readonly maxTools?: number;
}
