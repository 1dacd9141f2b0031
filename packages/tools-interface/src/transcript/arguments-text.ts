import { canonicalText } from "../json/canonical-text.ts";
import { parseJson } from "../json/parse-json.ts";

/**
 * A text that is the same for the same arguments: those that came as text and the object that it holds are the same.
 *
 * @throws {TypeError} For values without a JSON form.
 */
export function argumentsText(sent: unknown): string {
  if (typeof sent !== "string") return canonicalText(sent ?? {});
  try {
    return canonicalText(parseJson(sent));
  } catch {
    return canonicalText([sent]);
  }
}
