import { truncate, maskSecrets } from "../error/describe-received.ts";
import { toJsonText } from "../json/json.ts";

/** The kind of a content attribute: the arguments, the result, or the reason of a failure. */
export type ContentKind = "arguments" | "result" | "error";

/**
 * Removes from a text the parts that must not leave the process. Receives the whole text. If it throws, or returns a
 * non-string, the attribute is left out.
 *
 * @param text The text that would be recorded.
 * @param of The kind of the text, and the name of its tool.
 */
export type ContentRedactor = (text: string, of: { readonly kind: ContentKind; readonly name: string }) => string;

/** How long a content attribute gets, in characters. */
const MAX_LENGTH = 8_192;
/** Longer texts are not looked through, and so not recorded either. */
const MAX_LOOKED_AT = 1_000_000;

/**
 * The recorded form of a value, redacted first and then cut to 8,192 characters. `undefined`: nothing. Never throws.
 */
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
