import { BlockList, isIP } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { LOCAL_NETWORKS } from "@dispatch/tools-interface/internal";

/** Addresses of this machine and of networks that the internet does not lead to. */
const LOCAL = new BlockList();
for (const [address, bits] of LOCAL_NETWORKS) LOCAL.addSubnet(address, bits);
/** The internet: of IPv6 nothing else is given out. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
/** Parts of it that are local, for documentation, or hold an address of IPv4 (Teredo, 6to4) that leads anywhere. */
for (const [address, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  LOCAL.addSubnet(address, bits, "ipv6");
}
/** Names of this machine and of networks of their own (RFC 6761, 6762, 8375, and what routers and clusters use). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|svc|home\.arpa)$/;
const MAX_REDIRECTS = 5;

/**
 * A `fetch` for one server. `headers` go to its own origin alone. A redirect to another origin gets no headers, and no body is sent
 * on. For a server of the internet it asks no address of this machine or its network: for OAuth a server names addresses, such as
 * of its metadata, and answers may redirect. A name is not resolved.
 *
 * @throws {TypeError} From the `fetch`, for such an address, and for one without TLS.
 */
export function guardFetch(
  server: URL,
  fetcher: typeof fetch,
  headers: Readonly<Record<string, string>> = {},
): typeof fetch {
  // The operator of a local one has chosen this network.
  const check = isLocal(server) ? () => {} : (url: URL) => checkPlace(url, server);
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    let url = new URL(request === undefined ? (input as string | URL) : request.url);
    check(url);
    const own = new Headers(init?.headers ?? request?.headers);
    const sent = (given: Headers): RequestInit => {
      const all = new Headers(given);
      if (url.origin === server.origin)
        for (const [name, value] of Object.entries(headers)) if (!all.has(name)) all.set(name, value);
      return { ...init, headers: all };
    };
    const redirect = init?.redirect ?? request?.redirect ?? "follow";
    // The body and other settings of a `Request` are in itself alone.
    const first = await fetcher(input, { ...sent(own), redirect: redirect === "follow" ? "manual" : redirect });
    const method = (init?.method ?? request?.method ?? "GET").toUpperCase();
    if (redirect !== "follow" || (method !== "GET" && method !== "HEAD")) return first;
    const signal = init?.signal ?? request?.signal;
    let kept = own;
    for (let count = 0, response = first; ; count += 1) {
      const to = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
      if (to === null) return response;
      if (count === MAX_REDIRECTS) throw new TypeError(`${url.host} redirects more than ${MAX_REDIRECTS} times`);
      await response.body?.cancel();
      const next = new URL(to, url);
      check(next);
      if (next.origin !== url.origin) kept = new Headers();
      url = next;
      response = await fetcher(url, { ...sent(kept), method, redirect: "manual", ...(signal && { signal }) });
    }
  };
}

function checkPlace(url: URL, server: URL): void {
  if (url.origin === server.origin) return;
  if (url.protocol !== "https:") throw new TypeError(`${server.host} named ${url.origin}, which is no https: address`);
  if (isLocal(url)) throw new TypeError(`${server.host} named ${url.host}, an address of this machine or its network`);
}

function isLocal({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|\.+$/g, "");
  const family = isIP(host);
  if (family === 4) return LOCAL.check(host);
  if (family === 6) return LOCAL.check(host, "ipv6") || !GLOBAL.check(host, "ipv6");
  // A name without a dot is one of a network's own.
  return !host.includes(".") || LOCAL_NAME.test(host);
}

/** The bytes that end an event of a stream: an empty line. */
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * A `fetch` whose answers end with an error at a message that is too long: a whole body, or one event of a stream of
 * events.
 *
 * @param onLong - Called then. A stream that ends early is resumed and no request fails by it, so the caller has to end
 * the connection.
 */
export function limitFetch(
  fetcher: typeof fetch,
  maxMessageBytes: number,
  onLong: (error: Error) => void,
): typeof fetch {
  return async (input, init) => {
    const response = await fetcher(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    const limited = response.body.pipeThrough(limiter(maxMessageBytes, isStream, onLong));
    const { status, statusText, headers, url } = response;
    const answer = new Response(limited, { status, statusText, headers });
    // It distinguishes redirects and errors.
    Object.defineProperty(answer, "url", { value: url });
    return answer;
  };
}

function limiter(
  maxBytes: number,
  isStream: boolean,
  onLong: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (isStream) {
        for (const [at, byte] of chunk.entries()) {
          if (byte === LINE_FEED) {
            if (isLineEmpty) bytes = chunk.length - at;
            isLineEmpty = true;
          } else if (byte !== CARRIAGE_RETURN) isLineEmpty = false;
        }
      }
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      const error = new Error(`it sent a message of more than ${maxBytes} bytes`);
      controller.error(error);
      onLong(error);
    },
  });
}

/** Streams that may be opened at once. */
const BURST = 10;
/** One more in so many milliseconds. */
const INTERVAL_MS = 500;

/**
 * A `fetch` that opens streams no faster than that: a server says how long to wait before its stream is opened again (`retry`), and may say 0
 * and end it at once.
 */
export function paceFetch(fetcher: typeof fetch): typeof fetch {
  /** When the next one could be opened if there were no burst. */
  let next = 0;
  return async (input, init) => {
    const isStream =
      (init?.method ?? "GET") === "GET" && (new Headers(init?.headers).get("accept") ?? "").includes("stream");
    if (isStream) {
      const now = performance.now();
      next = Math.max(next, now) + INTERVAL_MS;
      const waitMs = next - now - BURST * INTERVAL_MS;
      if (waitMs > 0) await wait(waitMs, undefined, { ...(init?.signal && { signal: init.signal }), ref: false });
    }
    return fetcher(input, init);
  };
}
