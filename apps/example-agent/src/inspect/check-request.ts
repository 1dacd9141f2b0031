import type { IncomingMessage } from "node:http";

/** Why a request is not answered. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** Of HTTP. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Headers of every answer: load nothing but this page's own files, keep nothing, allow no frame. */
export const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** The names by which this machine's own browser reaches it. A page that is called anything else was brought here by DNS. */
const OWN_NAMES = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;

/**
 * Lets through requests of this machine's own browser from the page itself.
 *
 * @throws {RequestError} For another name than the machine's own, and for another page's request.
 */
export function checkOrigin({ method, headers }: IncomingMessage): void {
  const { host = "", origin, "sec-fetch-site": site = "none" } = headers;
  if (!OWN_NAMES.test(host)) throw new RequestError(421, "Cannot answer: the host is not this machine's own name");
  const isFromElsewhere = origin === undefined ? method !== "GET" : origin !== `http://${host}`;
  const isToldSo = site !== "same-origin" && site !== "none";
  if (isFromElsewhere || isToldSo) throw new RequestError(403, "Cannot answer: the request comes from another page");
}
