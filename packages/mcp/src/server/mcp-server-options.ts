import type {
  ToolCall,
  Approver,
  DispatchOptions,
  AnyToolRegistry,
  ToolRegistry,
  ToolResult,
} from "@dispatch/tools-interface";
import type { Transport } from "@modelcontextprotocol/server";
import type { McpCaller, McpClientView } from "./caller.ts";
import type { McpTaskOptions } from "./tasks/tasks.ts";

/** A picture that a client may show beside a server or a tool. */
export interface McpIcon {
  /** An `https:` or `data:` URL. */
  readonly src: string;
  /** For example `image/png`. */
  readonly mimeType?: string;
  /** For example `["48x48"]`. */
  readonly sizes?: string[];
  /** The background it is made for. */
  readonly theme?: "light" | "dark";
}

/** How one tool is shown to clients. */
export interface McpToolOptions {
  /** For a person. Default: the name in words, `read_file` is `Read file`. */
  readonly title?: string;
  /** Default none. */
  readonly icons?: readonly McpIcon[];
  /** Whether clients get the tool's data beside its text. Default: the server's `structuredOutput`. */
  readonly structuredOutput?: boolean;
}

/** Streamable HTTP on the loopback interface. */
export interface McpHttpOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /**
   * The token of every request (`Authorization: Bearer TOKEN`), at least 20 characters of ASCII, no spaces. Default: a new one of 256
   * random bits.
   */
  readonly token?: string | undefined;
}

/** The host's context for its tools: the same for every call, or made for each from its caller. */
export type McpContextSource<Context> = Context | ((caller: McpCaller) => Context | Promise<Context>);

/** `context` is required as soon as one of the registry's tools needs one. */
export type WithMcpContext<Context> = unknown extends Context
  ? { readonly context?: unknown }
  : { readonly context: McpContextSource<Context> };

/** Where the tools come from: one registry, or one for each kind of client, such as without questions where nobody can be asked. */
export type McpRegistrySource<Context> =
  // oxlint-disable-next-line typescript/no-explicit-any -- a registry of any tools
  | ToolRegistry<any, Context>
  // oxlint-disable-next-line typescript/no-explicit-any -- a registry of any tools
  | ((client: McpClientView) => ToolRegistry<any, Context> | Promise<ToolRegistry<any, Context>>);

/** Options of `serveMcp` beside `context`. */
export interface McpServerOptions {
  /** The name a client knows the server by. Default `dispatch`. */
  readonly name?: string;
  /** Default `0.0.0`. */
  readonly version?: string;
  /** The name a person reads. Default `name`. */
  readonly title?: string;
  /** Instructions for the client's model on the tools as a whole. Default none. */
  readonly instructions?: string;
  /** Default none. */
  readonly icons?: readonly McpIcon[];
  /** Where clients are. A transport of the SDK's serves the one client at its other end. Default `stdio`. */
  readonly transport?: "stdio" | McpHttpOptions | Transport;
  /** How tools are shown, by name. */
  readonly tools?: Readonly<Record<string, McpToolOptions>>;
  /**
   * Whether clients get data (`structuredContent`) beside text. Many clients then show their model the data as JSON and never
   * the text that a tool wrote for it, and some send both. Default false.
   */
  readonly structuredOutput?: boolean;
  /**
   * Whether the schemas of tools name their dialect, JSON Schema 2020-12 (`$schema`). MCP takes it for the default since 2025-11-25; some
   * clients of earlier revisions refuse a schema that names it. Default false.
   */
  readonly schemaDialect?: boolean;
  /** Decides about calls that need approval. Default: the client's user, by elicitation; denied where it cannot ask. */
  readonly approve?: Approver;
  /** Runs one call. Default `registry.dispatch(call, options)`. */
  readonly dispatch?: McpDispatch;
  /** Calls that run at the same time, of all clients; one more is answered with a failure, an answered one waits for its turn. Default 32. */
  readonly maxConcurrency?: number;
  /** Bytes of one message of a client. A longer request is answered with an error. Default 4 MiB. */
  readonly maxMessageBytes?: number;
  /** How long clients of 2026-07-28 may use a list of tools without asking again, in milliseconds. Default 60,000. */
  readonly toolsTtlMs?: number;
  /**
   * Calls that take long or ask a person go on without their request, for clients of 2026-07-28 that know the tasks extension. `false`: every
   * call is answered by its request. Default: they do, and are kept in memory.
   */
  readonly tasks?: McpTaskOptions | false;
  /** Receives faults of the protocol and of the host, which are never sent to a client. Default: ignored. */
  readonly onError?: (error: Error) => void;
}

/** Runs one call; must end in a result. `options` hold the context, approver, observer and signal of the call. */
export type McpDispatch = (
  call: ToolCall,
  options: DispatchOptions,
  caller: McpCaller,
  registry: AnyToolRegistry,
) => Promise<ToolResult>;
