import { UncertainError } from "./file-path.ts";

/**
 * White space, controls, backslashes, user names and other parts that programs read differently from the standard of
 * URLs.
 */
const ODD = /[\s\\@\u0000-\u001F\u007F]/;
/** The scheme, and the host with its port. With a third slash some programs find a host, and others none. */
const URL_PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i;
/** Schemes whose host is the server that is asked. Of `file:`, `data:` or `javascript:` nobody asks it. */
const NETWORK =
  /^(?:https?|wss?|ftps?|sftp|ssh|git|git\+(?:ssh|https?)|svn|rsync|ldaps?|rediss?|postgres(?:ql)?|mysql|mongodb|amqps?|mqtts?|nats|grpcs?|smb|telnet|rtsps?)$/i;
/** Some programs decode `%`, others do not. The letters are other hosts by the older standard of names than by the newer. */
const READ_DIFFERENTLY = /[%ßẞς\u200C\u200D]/;
/** A name or address as the standard writes it. */
const PLAIN = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/;
/** A host as a rule names it: no port, path or other pattern. */
const NAMED = /^(?:[A-Za-z0-9_.\u0080-\u{10FFFF}-]+|\[[0-9A-Fa-f:.]+\])$/u;
/** An IPv4 address as IPv6 writes it. */
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/**
 * The host of a URL in the one form that it has: lower case, Punycode, dotted decimal, without port and without a dot at its end.
 *
 * @throws {UncertainError} For anything else, and for URLs that programs read differently: with a user name, a backslash,
 *   white space, a third slash, a `%` or other odd characters in the host; and for schemes that ask no host, such as `file:`.
 */
export function hostOf(url: unknown): string {
  const [, scheme = "", authority = ""] = (typeof url === "string" && !ODD.test(url) && URL_PARTS.exec(url)) || [];
  if (!NETWORK.test(scheme)) throw new UncertainError("found no plain URL");
  return canonicalHost(authority);
}

/**
 * Whether the host of a URL is a host, or below a domain that is written as `*.example.com`.
 *
 * @throws {UncertainError} As `hostOf`, and for a pattern that is neither.
 */
export function isHost(url: unknown, pattern: string): boolean {
  const host = hostOf(url);
  const named = patternHost(pattern);
  return pattern.startsWith("*.") ? host.endsWith(`.${named}`) : host === named;
}

/**
 * The host of a pattern of `isHost`, without `*.`.
 *
 * @throws {UncertainError} For anything else: it would match nothing, silently.
 */
export function patternHost(pattern: string): string {
  const host = pattern.replace(/^\*\./, "");
  if (!NAMED.test(host)) throw new UncertainError("found no host and no domain such as *.example.com");
  return canonicalHost(host);
}

function canonicalHost(authority: string): string {
  try {
    // As of http: of other schemes the standard leaves hosts as they are written.
    const { hostname } = new URL(`http://${READ_DIFFERENTLY.test(authority) ? "" : authority}`);
    const host = hostname.replace(/\.$/, "");
    if (PLAIN.test(host)) return MAPPED.test(host) ? dotted(host) : host;
  } catch {
    // Refused below.
  }
  throw new UncertainError("found a URL without a usable host");
}

function dotted(mapped: string): string {
  const [, high = "", low = ""] = MAPPED.exec(mapped) ?? [];
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff]).join(".");
}
