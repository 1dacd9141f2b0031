import type { McpUser } from "./elicitation-approver.ts";

/** The client at the other end. Its own statements are unchecked. */
export interface McpClientView {
  /** Its name. */
  readonly name: string | undefined;
  /** Its version. */
  readonly version: string | undefined;
  /** Whether it can ask its user. */
  readonly canAsk: boolean;
  /** The same object for all calls of one connection, to keep state by. Over HTTP since 2026-07-28, each request is one. */
  readonly connection: object;
}

/** Who makes a call. */
export interface McpCaller extends McpClientView {
  /** Asks the client's user during the call; `undefined` where the client cannot. */
  readonly user: McpUser | undefined;
  /** The request's `_meta`, such as `traceparent`. Unchecked. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Revisions with a handshake are legacy; since 2026-07-28 every request says who asks. */
export type Era = "legacy" | "modern";
