import { UncertainError } from "./file-path.ts";

/**
 * White space, controls, backslashes, user names and other parts that programs read differently from the standard of
 * URLs.
 */
const ODD = /[\s\\@\u0000-\u001F\u007F]/;
/** Of `file:` the host is not asked for what follows; with a third slash some programs find a host, and others none. */
const SCHEME = /^(?!file:)[a-z][a-z0-9+.-]*:\/\/(?!\/)/i;

/**
 * The host of a URL in the one form that it has: lower case, Punycode, dotted decimal, without port and without a dot at its end.
 *
 * @throws {UncertainError} For anything else, and for URLs that programs read differently: with a user name, a backslash,
 *   white space or a third slash; and for `file:`.
 */
export function hostOf(url: unknown): string {
  if (typeof url !== "string" || ODD.test(url) || !SCHEME.test(url)) throw new UncertainError("found no plain URL");
  return canonicalHost(url.replace(SCHEME, ""));
}

/** Whether the host of a URL is a host, or below a domain that is written as `*.example.com`. */
export function isHost(url: unknown, pattern: string): boolean {
  const host = hostOf(url);
  if (!pattern.startsWith("*.")) return host === canonicalHost(pattern);
  const domain = canonicalHost(pattern.slice(2));
  return host.endsWith(`.${domain}`);
}

function canonicalHost(authority: string): string {
  try {
    // As of http: of other schemes the standard leaves hosts as they are written.
    const { hostname } = new URL(`http://${authority}`);
    if (hostname !== "") return hostname.replace(/\.$/, "");
  } catch {
    // Refused below.
  }
  throw new UncertainError("found a URL without a usable host");
}
