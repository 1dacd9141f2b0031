/** Most characters of a description. */
const MAX_LENGTH = 40;
/** Most characters of a long text that are examined. */
const MAX_SCANNED_CHARS = 400;

/** Describes a received value in at most 40 characters: strings quoted and truncated, secrets masked, objects as their keys alone. */
export function describeReceived(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return value.length === 1 ? "an array of 1 item" : `an array of ${value.length} items`;
  if (typeof value === "object") {
    const keys = Object.keys(value);
    const shown = maskSecrets(keys.slice(0, 8).join(", ").slice(0, MAX_SCANNED_CHARS));
    return keys.length === 0 ? "an object without keys" : truncate(`an object with ${shown}`, MAX_LENGTH);
  }
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  return truncate(`${value as number | bigint | boolean}`, MAX_LENGTH);
}

/** A text that a model sent, quoted, in at most 40 characters. */
export function quote(text: string): string {
  const masked = maskSecrets(text.slice(0, MAX_SCANNED_CHARS));
  const quoted = JSON.stringify(masked);
  if (quoted.length <= MAX_LENGTH && text.length <= MAX_SCANNED_CHARS) return quoted;
  // Truncation may have split an escape or a surrogate pair: its rest is dropped.
  const head = quoted.slice(1, MAX_LENGTH - 2).replace(/\\(?:u[0-9a-f]{0,3})?$|[\uD800-\uDBFF]$/, "");
  return `"${head}…"`;
}

/** The text in at most `length` characters, with an ellipsis at the end if it was truncated. */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const MASK = "[secret]";
/** Marks under which secrets travel: an authorisation scheme, or the prefixes of well-known issuers. */
const MARKED =
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{6,}|\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|npm|pypi|hf|xox[abeoprs]|whsec|shpat)[-_][\w-]{6,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/gi;
const TOKEN = /[\w+/=-]{20,}/g;

/** A text with likely secrets masked: text marked as one, or a long run of letters and digits without a pattern. */
export function maskSecrets(text: string): string {
  if (text.length < 9) return text;
  return text.replace(MARKED, MASK).replace(TOKEN, (token) => (isRandom(token) ? MASK : token));
}

/** Bits a character above which a run is taken for random; random hexadecimal digits have about 3.6. */
const RANDOM_BITS = 3.2;

function isRandom(token: string): boolean {
  if (!/\d/.test(token) || !/[A-Za-z]/.test(token)) return false;
  const isMixed = /[a-z]/.test(token) && /[A-Z]/.test(token);
  // Words joined by `/`, `-` or `_` are paths and names, unless their parts are themselves such runs.
  if (/[/_-]/.test(token) && !isMixed && !/(?:\d[a-z]+){2}/i.test(token)) return false;
  const counts = new Map<string, number>();
  for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits >= RANDOM_BITS;
}
