import { truncate, maskSecrets } from "../error/describe-received.ts";
import { toJsonText } from "../json/json.ts";

/** What a content attribute holds: what was sent, what was answered, or why it failed. */
export type ContentKind = "arguments" | "result" | "error";

/**
 * Takes out of a text what must not leave the process. Given the whole text; what it throws, or an answer that is no
 * text, leaves the attribute out.
 *
 * @param text The text that would be recorded.
 * @param of What it is, and of which tool.
 */
export type ContentRedactor = (text: string, of: { readonly kind: ContentKind; readonly name: string }) => string;

/** How long a content attribute gets, in characters. */
const MAX_LENGTH = 8_192;
/** Longer texts are not looked through, and so not recorded either. */
const MAX_LOOKED_AT = 1_000_000;

/** What is recorded of a value, redacted first and then cut to 8,192 characters. `undefined`: nothing. Never throws. */
export function contentOf(
  value: unknown,
  kind: ContentKind,
  name: string,
  redact: ContentRedactor = maskSecrets,
): string | undefined {
  try {
    const text = typeof value === "string" ? value : toJsonText(value);
    if (text.length > MAX_LOOKED_AT) return `(not recorded: ${text.length} characters)`;
    const redacted: unknown = redact(text, { kind, name });
    return typeof redacted === "string" ? truncate(redacted, MAX_LENGTH) : undefined;
  } catch {
    return undefined;
  }
}
