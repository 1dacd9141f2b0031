import type { JsonSchema } from "@dispatch/tools-interface";
import { cleanText, oneLine } from "@dispatch/tools-interface/display";
import { replaceInvisible, mapSchemas } from "@dispatch/tools-interface/internal";

/** Quantifiers without an end: several of them cost the square, the cube and so on of a text's length. */
const MAX_OPEN_QUANTIFIERS = 2;
const MAX_PATTERN_CHARS = 500;
/** Characters of a text that a schema shows a model. */
const MAX_NOTE_CHARS = 4_000;

/**
 * A schema of a server, which may mean harm: its texts hold nothing that cannot be seen, and a pattern that may take for ever is
 * a sentence in the description, not a check. The server checks it anyway.
 *
 * @throws {Error} When something that cannot be seen stands where it cannot be taken out, such as in a name or an allowed value.
 */
export function tameSchema(schema: JsonSchema): JsonSchema {
  const all = mapSchemas(schema, (node) => {
    const { pattern, patternProperties, ...rest } = node;
    const tamed: Record<string, unknown> = { ...rest };
    for (const key of ["description", "title", "$comment"]) {
      const text = tamed[key];
      if (typeof text === "string") tamed[key] = cleanText(text).slice(0, MAX_NOTE_CHARS);
    }
    if (typeof pattern === "string") {
      if (isQuick(pattern)) tamed["pattern"] = pattern;
      else
        tamed["description"] = [tamed["description"], `Pattern: ${cleanText(pattern).slice(0, MAX_PATTERN_CHARS)}`]
          .filter(Boolean)
          .join(". ");
    }
    if (patternProperties !== undefined && areQuick(patternProperties)) tamed["patternProperties"] = patternProperties;
    return tamed;
  });
  refuseUnseen(all);
  return all;
}

/** Its depth is limited where the tool is listed. */
function refuseUnseen(value: unknown): void {
  if (typeof value === "string" && replaceInvisible(value, () => "") !== value) {
    throw new Error(`its schema holds invisible characters, in ${JSON.stringify(oneLine(value).slice(0, 60))}`);
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    refuseUnseen(key);
    refuseUnseen(inner);
  }
}

function areQuick(patterns: unknown): boolean {
  return typeof patterns === "object" && patterns !== null && Object.keys(patterns).every(isQuick);
}

/** Whether an expression surely ends soon: no repeated groups, references and looks, and few quantifiers without an end. */
function isQuick(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\[^1-9k]/g, "x").replaceAll(/\[(?:\\.|[^\]\\])*\]/g, "x");
  if (pattern.length > MAX_PATTERN_CHARS || /\\|\(\?[=!<]/.test(plain) || /\)[*+{]/.test(plain)) return false;
  return (plain.match(/[*+]|\{\d+,\}/g) ?? []).length <= MAX_OPEN_QUANTIFIERS && !/\{\d{4,}|,\d{4,}\}/.test(plain);
}
