import { ToolError } from "@dispatch/tools-interface";
import { oneLine } from "@dispatch/tools-interface/display";
import { isJsonObject, onAbort } from "@dispatch/tools-interface/internal";
import {
  Client,
  type Progress,
  SdkError,
  SdkErrorCode,
  type StandardSchemaV1,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { createElicitationHandler, type McpElicitationAnswer } from "./elicitation.ts";
import { guardFetch, limitFetch, paceFetch } from "./guarded-fetch.ts";
import type { McpClientOptions, McpServerPlace } from "./mcp-client-options.ts";
import { letTasksPass, TASKS_EXTENSION } from "./remote-task.ts";

/** Options of a request. */
export interface LinkRequest {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** Accepts every result: its parts are read one by one, so that a wrong one spoils no other. */
const ANY: StandardSchemaV1 = {
  "~standard": { version: 1, vendor: "dispatch", validate: (value: unknown) => ({ value }) },
};

const DEFAULT_CONNECT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** After a connection failed, how long the next one is not tried: twice as long each time. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** How long a server may take to say that it knows 2026-07-28; older ones may say nothing at all. */
const MAX_PROBE_MS = 5_000;
/**
 * How often a person is asked to sign in for one request: once, and for additional scopes that the server wants then.
 */
const MAX_SIGN_INS = 3;
/** A connection that lived so long was a good one. */
const GOOD_AFTER_MS = 10_000;

/** The connection to one server: made when it is needed, and anew when it was lost, each time after a longer pause. */
export class ServerLink {
  readonly #name: string;
  readonly #place: McpServerPlace;
  readonly #options: McpClientOptions;
  readonly #onChanged: () => void;
  /** Answers a question of the server. `undefined`: nobody can be asked. */
  readonly answer: ((params: object, signal: AbortSignal) => Promise<McpElicitationAnswer>) | undefined;
  #client: Promise<Client> | undefined;
  /** Why this side ended a connection. */
  readonly #ended = new WeakMap<Client, Error>();
  readonly #signIn: SignIn;
  #pauseMs = 0;
  #notBefore = 0;
  #closed = false;

  /** @param onChanged - Called when the server says that its tools changed, and when a new connection was made. */
  constructor(name: string, place: McpServerPlace, options: McpClientOptions, onChanged: () => void) {
    this.#name = name;
    this.#place = place;
    this.#options = options;
    this.#onChanged = onChanged;
    this.#signIn = new SignIn(place);
    const { elicit } = options;
    this.answer = elicit === undefined ? undefined : createElicitationHandler(name, elicit);
  }

  /** The server's words for a model, when it is connected. */
  async instructions(): Promise<string | undefined> {
    return (await this.#client)?.getInstructions();
  }

  /** Whether the connected server has tasks of 2025-11-25, which the caller asks for. */
  async hasLegacyTasks(): Promise<boolean> {
    const capabilities: unknown = (await this.#client)?.getServerCapabilities();
    const tasks = isJsonObject(capabilities) ? capabilities["tasks"] : undefined;
    const requests = isJsonObject(tasks) ? tasks["requests"] : undefined;
    const tools = isJsonObject(requests) ? requests["tools"] : undefined;
    return isJsonObject(tools) && isJsonObject(tools["call"]);
  }

  /** Whether the server may make a task of any call, which it may since 2026-07-28. */
  async makesTasks(): Promise<boolean> {
    return (await this.#connected()).getServerCapabilities()?.extensions?.[TASKS_EXTENSION] !== undefined;
  }

  /** Connects when it is not connected. */
  async ready(): Promise<void> {
    await this.#connected();
  }

  /** Sends a request and answers its result, unchecked. */
  async request(method: string, params: object, { signal, timeoutMs, onProgress }: LinkRequest): Promise<unknown> {
    for (let signIns = 0; ; signIns += 1) {
      const client = await this.#connected();
      try {
        return await client.request({ method, params: { ...params } }, ANY, {
          timeout: timeoutMs,
          ...(signal && { signal }),
          ...(onProgress && { onprogress: onProgress }),
        });
      } catch (error) {
        if (signIns >= MAX_SIGN_INS || !(await this.#signIn.after(error, client.transport))) {
          throw this.#ended.get(client) ?? error;
        }
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#signIn.close();
    const client = this.#client;
    this.#client = undefined;
    await (await client?.catch(() => undefined))?.close();
  }

  #connected(): Promise<Client> {
    if (this.#closed) return Promise.reject(this.#unreachable("it was closed"));
    if (this.#client !== undefined) return this.#client;
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0) {
      return Promise.reject(this.#unreachable(`it failed before, try again in ${Math.ceil(waitMs / 1_000)} s`));
    }
    const client = this.#connect();
    this.#client = client;
    client.catch(() => this.#lost(client, 0));
    return client;
  }

  async #connect(): Promise<Client> {
    for (let signIns = 0; ; signIns += 1) {
      let tried: Transport | undefined;
      try {
        return await this.#tryToConnect((transport) => (tried = transport));
      } catch (error) {
        const isSignedIn = await this.#signIn
          .after(error, signIns < MAX_SIGN_INS ? tried : undefined)
          .catch(() => false);
        if (!isSignedIn) throw this.#unreachable(describe(error), error);
      }
    }
  }

  async #tryToConnect(onTransport: (transport: Transport) => void): Promise<Client> {
    const { connectTimeoutMs: timeout = DEFAULT_CONNECT_TIMEOUT_MS } = this.#options;
    const { answer } = this;
    const client = new Client(
      { name: "dispatch", version: "0.0.0" },
      {
        capabilities: {
          ...(answer !== undefined && { elicitation: { form: {} } }),
          extensions: { [TASKS_EXTENSION]: {} },
        },
        versionNegotiation: { mode: "auto", probe: { timeoutMs: Math.min(MAX_PROBE_MS, timeout / 3) } },
      },
    );
    if (answer !== undefined) {
      client.setRequestHandler(
        "elicitation/create",
        ({ params }, { mcpReq }) => answer(params, mcpReq.signal) as never,
      );
    }
    client.setNotificationHandler("notifications/tools/list_changed", () => this.#onChanged());
    const begun = performance.now();
    const onLong = (why: Error): void => {
      this.#ended.set(client, why);
      client.close().catch(() => {});
    };
    const connecting = this.#transport(onLong).then((transport) => {
      onTransport(transport);
      return client.connect(letTasksPass(transport), { timeout });
    });
    let giveUp: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      giveUp = setTimeout(() => reject(new Error(`it did not answer within ${timeout} ms`)), timeout);
    });
    try {
      await Promise.race([connecting, late]);
    } catch (error) {
      connecting.catch(() => {});
      await client.close().catch(() => {});
      throw this.#ended.get(client) ?? error;
    } finally {
      clearTimeout(giveUp);
    }
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client is no event target
    client.onclose = () => this.#lost(this.#client, performance.now() - begun);
    this.#listen(client);
    this.#onChanged();
    return client;
  }

  /** Since 2026-07-28 a client has to ask for news. */
  #listen(client: Client): void {
    if (client.getProtocolEra() !== "modern" || client.getServerCapabilities()?.tools?.listChanged !== true) return;
    client.listen({ toolsListChanged: true }).catch(() => {});
  }

  #lost(client: Promise<Client> | undefined, livedMs: number): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#pauseMs =
      livedMs > GOOD_AFTER_MS ? FIRST_PAUSE_MS : Math.min(this.#pauseMs * 2 || FIRST_PAUSE_MS, MAX_PAUSE_MS);
    this.#notBefore = performance.now() + this.#pauseMs;
  }

  async #transport(onLong: (error: Error) => void): Promise<Transport> {
    const place = this.#place;
    const { maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = this.#options;
    if ("transport" in place) return place.transport();
    if ("url" in place) {
      const { url, headers, authProvider, fetch: fetcher = globalThis.fetch } = place;
      return new StreamableHTTPClientTransport(new URL(url), {
        fetch: limitFetch(paceFetch(guardFetch(new URL(url), fetcher, headers)), maxMessageBytes, onLong),
        ...(authProvider && { authProvider }),
      });
    }
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    const { command, args = [], env, cwd, stderr = "ignore" } = place;
    return new StdioClientTransport({
      command,
      args: [...args],
      stderr,
      maxBufferSize: maxMessageBytes,
      ...(env && { env: { ...env } }),
      ...(cwd !== undefined && { cwd }),
    });
  }

  #unreachable(why: string, cause?: unknown): ToolError {
    return new ToolError(`Cannot reach the MCP server ${this.#name}: ${why}`, { code: "mcp_unreachable", cause });
  }
}

/** Why a request failed, for a model: a server's error is its own text, cut. */
export function describe(error: unknown): string {
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return "the connection was lost";
  const text = error instanceof Error ? error.message : String(error);
  return oneLine(text).slice(0, 500);
}

/** How many causes of an error are looked at. */
const MAX_CAUSES = 5;

/** Waits for a person whom the host's OAuth provider sent to sign in. */
class SignIn {
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
