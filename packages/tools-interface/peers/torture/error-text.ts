import { inspect } from "node:util";

/** The text that a careful host shows a model for a thrown value of any type. Never throws. */
export function errorText(thrown: unknown): string {
  try {
    if (typeof thrown !== "object" || thrown === null) return `Error: ${inspectedText(thrown)}`;
    const { name, message, originalError, cause } = thrown as Readonly<Record<string, unknown>>;
    if (typeof message !== "string") return `Error: ${inspectedText(thrown)}`;
    const own = `${typeof name === "string" && name !== "" ? name : "Error"}: ${message || "no message"}`;
    const behind = originalError ?? cause;
    return behind instanceof Error && behind !== thrown ? `${own}: ${behind.message}` : own;
  } catch {
    return "Error: something was thrown that cannot be read";
  }
}

function inspectedText(value: unknown): string {
  return typeof value === "string" ? value || "an empty text was thrown" : inspect(value, { depth: 2 });
}
