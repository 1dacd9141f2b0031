import { escapeInvisible, toEscape } from "./escape-invisible.ts";

/**
 * JSON for a prompt. A stored text cannot leave its JSON string or imitate the prompt around it: besides quotes and line
 * breaks, `<` and `>` are escaped, which could open or close the prompt's tags, and so are invisible characters.
 */
export function toPromptJson(value: unknown): string {
  return escapeInvisible(JSON.stringify(value).replace(/[<>]/g, toEscape));
}
