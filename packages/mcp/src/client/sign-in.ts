import { onAbort } from "@dispatch/tools-interface/internal";
import { StreamableHTTPClientTransport, UnauthorizedError, type Transport } from "@modelcontextprotocol/client";
import type { McpServerPlace } from "./mcp-client-options.ts";

/** How many causes of an error are looked at. */
const MAX_CAUSES = 5;

/** Waits for a person whom the host's OAuth provider sent to sign in. */
export class SignIn {
  readonly #place: McpServerPlace;
  readonly #ending = new AbortController();
  #waiting: Promise<void> | undefined;

  constructor(place: McpServerPlace) {
    this.#place = place;
  }

  /**
   * Whether a failed request may be sent again, because a person has signed in since. Requests that fail at the same
   * time wait for the same person.
   *
   * @param thrown - The request's error.
   * @param transport - That the request was sent by: it knows the server's demand.
   * @throws {Error} When signing in failed.
   */
  async after(thrown: unknown, transport: Transport | undefined): Promise<boolean> {
    const { authCallback } = "url" in this.#place ? this.#place : {};
    if (authCallback === undefined || !(transport instanceof StreamableHTTPClientTransport)) return false;
    if (!isUnauthorized(thrown)) return false;
    this.#waiting ??= this.#finish(authCallback, transport).finally(() => (this.#waiting = undefined));
    await this.#waiting;
    return true;
  }

  async #finish(
    authCallback: (signal: AbortSignal) => Promise<URLSearchParams>,
    transport: StreamableHTTPClientTransport,
  ): Promise<void> {
    const { signal } = this.#ending;
    const closed = new Promise<never>((_, reject) => {
      onAbort(signal, () => reject(signal.reason as Error));
      signal.throwIfAborted();
    });
    await transport.finishAuth(await Promise.race([authCallback(signal), closed]));
  }

  close(): void {
    this.#ending.abort(new Error("the connection was closed"));
  }
}

function isUnauthorized(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    if (cause instanceof UnauthorizedError) return true;
    ({ cause } = cause);
  }
  return false;
}
