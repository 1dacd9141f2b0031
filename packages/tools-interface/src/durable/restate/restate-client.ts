import { toColumn, toIndexed } from "../column-text.ts";
import { DurableError } from "../durable-error.ts";
import { OBJECTS } from "./restate-messages.ts";

/** Longest time without the server, in milliseconds. */
const MAX_SILENCE_MS = 10_000;
/** Longest time that one request may take, in milliseconds. */
const REQUEST_MS = 5_000;
/** Between two tries, in milliseconds: doubled from the first to the second. */
const PAUSE_MS = [20, 1_000] as const;

/** Calls handlers of virtual objects through Restate's ingress. Each handler may be called twice: twice is as once. */
export class RestateClient {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param url The ingress, such as `http://127.0.0.1:8080`. */
  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = url.replace(/\/+$/, "");
    this.#headers = headers;
  }

  /** @throws {DurableError} When the server does not answer. */
  async call(object: string, key: string, handler: string, parameter?: unknown): Promise<unknown> {
    // Sessions are of any length, and are not read from their keys.
    const named = object === OBJECTS.transcript ? toIndexed(key) : toColumn(key);
    const url = `${this.#url}/${object}/${encodeURIComponent(named)}/${handler}`;
    const body = parameter === undefined ? undefined : JSON.stringify(parameter);
    const until = performance.now() + MAX_SILENCE_MS;
    const [first, longest] = PAUSE_MS;
    for (let most: number = first; ; most = Math.min(most * 2, longest)) {
      try {
        return await this.#request(url, body);
      } catch (error) {
        if (performance.now() + most > until)
          throw new DurableError(`Cannot reach Restate: ${(error as Error).message}`, { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, most * (0.5 + Math.random() / 2)));
    }
  }

  async #request(url: string, body: string | undefined): Promise<unknown> {
    const headers = { ...this.#headers, ...(body !== undefined && { "content-type": "application/json" }) };
    const signal = AbortSignal.timeout(REQUEST_MS);
    const response = await fetch(url, { method: "POST", headers, signal, ...(body !== undefined && { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`it answered ${response.status}: ${text.slice(0, 200)}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}
