/** A client under test. */
export interface McpSubject {
  /**
   * Connects to a server over streamable HTTP. Approves every call. May reject, as everything of a session may: with an
   * `Error`.
   *
   * @param options - The host's settings: no request may take longer than `timeoutMs`, and `headers` go to this server
   * alone.
   */
  connect(url: string, options: McpSubjectOptions): Promise<McpSession>;
}

/** The host's settings. */
export interface McpSubjectOptions {
  /** Longest time of one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Secrets of the host for this server. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A tool as the client shows it a model. */
export interface ShownMcpTool {
  /** A model's name for it. */
  readonly name: string;
  /** Text for a model. */
  readonly description: string;
  /** The parameters as a model sees them. */
  readonly parameters: unknown;
}

/** The outcome of a call as a model sees it. */
export interface McpOutcome {
  /** Whether the call succeeded. */
  readonly success: boolean;
  /** All that is shown of it, other parts than text as JSON. */
  readonly text: string;
}

/** A connection to one server. */
export interface McpSession {
  /** The tools that can be called now, asked for anew. */
  tools(): Promise<readonly ShownMcpTool[]>;
  /** Calls a tool by the name a model calls it by. */
  call(name: string, params: Readonly<Record<string, unknown>>): Promise<McpOutcome>;
  /** Ends the connection. */
  close(): Promise<void>;
}
