import { BlockList, isIP } from "node:net";

/** Addresses of this machine and of networks that the internet does not lead to (IANA special-purpose address registry). */
const LOCAL = new BlockList();
for (const [address, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  LOCAL.addSubnet(address, bits);
}
for (const [address, bits] of [
  ["::", 127],
  // Of IPv4, behind a translator (RFC 6052).
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  LOCAL.addSubnet(address, bits, "ipv6");
}
const MAX_REDIRECTS = 5;

/**
 * A `fetch` that asks no address of this machine or its network for a server of the internet: for OAuth a server names addresses, such as of its
 * metadata, and answers may redirect. A name is not resolved.
 *
 * @throws {TypeError} From the `fetch`, for such an address, and for one without TLS.
 */
export function guardFetch(server: URL, fetcher: typeof fetch): typeof fetch {
  // Its operator has chosen this network.
  if (isLocal(server)) return fetcher;
  const check = (url: URL): void => {
    if (url.origin === server.origin) return;
    if (url.protocol !== "https:")
      throw new TypeError(`${server.host} named ${url.origin}, which is no https: address`);
    if (isLocal(url))
      throw new TypeError(`${server.host} named ${url.host}, an address of this machine or its network`);
  };
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    let url = new URL(request === undefined ? (input as string | URL) : request.url);
    check(url);
    if ((init?.redirect ?? request?.redirect ?? "follow") !== "follow") return fetcher(input, init);
    const method = (init?.method ?? request?.method ?? "GET").toUpperCase();
    const signal = init?.signal ?? request?.signal;
    let headers = init?.headers ?? request?.headers;
    for (let count = 0; ; count += 1) {
      const followed: RequestInit = { ...init, method, ...(headers && { headers }), ...(signal && { signal }) };
      // The body and other settings of a `Request` are in itself alone.
      const response = await (count === 0 && request !== undefined
        ? fetcher(request, { ...init, redirect: "manual" })
        : fetcher(url, { ...followed, redirect: "manual" }));
      const to = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
      if (to === null || (method !== "GET" && method !== "HEAD")) return response;
      if (count === MAX_REDIRECTS) throw new TypeError(`${url.host} redirects more than ${MAX_REDIRECTS} times`);
      await response.body?.cancel();
      const next = new URL(to, url);
      check(next);
      if (next.origin !== url.origin) headers = {};
      url = next;
    }
  };
}

function isLocal({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  const family = isIP(host);
  if (family !== 0) return LOCAL.check(host, family === 6 ? "ipv6" : "ipv4");
  return host === "localhost" || /\.(?:localhost|local|internal)$/.test(host);
}
