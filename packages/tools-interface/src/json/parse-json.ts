/**
 * The value of a JSON text that a model sent, without `__proto__` keys: `JSON.parse` makes own keys of them, which a
 * later copy or merge would turn into a prototype.
 *
 * @throws {SyntaxError} When the text is not JSON.
 */
export function parseJson(text: string): unknown {
  // In plain or escaped letters. A reviver makes parsing several times slower, so it runs only where needed.
  const mayNamePrototype = text.includes("__proto__") || text.includes("\\u");
  return mayNamePrototype ? JSON.parse(text, dropPrototype) : JSON.parse(text);
}

/** Text inside of the parameters of one call that is parsed, in characters. A longer one stays text. */
export const MAX_INNER_JSON_CHARS = 262_144;
/** Keys for whose objects an engine may set aside a place for every smaller number, of about a KiB for each character. */
const NUMBERED_KEY = /"(?:\d|\\u[\da-f]{4}){3,5}"\s*:/i;
const NUMBERED_COST = 100;

/** How much of `MAX_INNER_JSON_CHARS` it takes to parse a text: its length, and more if that hides what it needs. */
export function innerJsonCost(text: string): number {
  return text.length <= MAX_INNER_JSON_CHARS && NUMBERED_KEY.test(text) ? text.length * NUMBERED_COST : text.length;
}

function dropPrototype(this: unknown, key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}
