import { NotOfferedError } from "@dispatch/check";

/** The model's arguments as text on the wire: text as it is, nothing as no text, anything else as JSON. */
export function sentText(sent: unknown): string {
  return typeof sent === "string" ? sent : (toJson(sent) ?? "");
}

/** The model's arguments as a value, for a system that never receives text. */
export function sentValue(sent: unknown): unknown {
  const text = typeof sent === "string" ? sent : toJson(sent);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new NotOfferedError("arguments that are not JSON never reach it");
  }
}

/** JSON of JSON values. Anything else cannot have come from a model through this system. */
function toJson(sent: unknown): string | undefined {
  if (sent === undefined) return undefined;
  try {
    const text = JSON.stringify(sent) as string | undefined;
    if (text !== undefined) return text;
  } catch {
    // Said below.
  }
  throw new NotOfferedError("calls are JSON, which cannot hold this");
}
