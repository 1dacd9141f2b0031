import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject } from "@dispatch/tools-interface/internal";
import type { StrictDialect } from "./wire/strict-dialect.ts";

const FORMATS = new Set<unknown>([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "uri",
  "ipv4",
  "ipv6",
  "uuid",
]);

/**
 * The subset of JSON Schema that Anthropic enforces, from its page on structured outputs as of 2026-11. It takes simple
 * patterns too; they are left to the description, because all strict tools of a request share one grammar whose size is
 * limited.
 */
export const ANTHROPIC_STRICT: StrictDialect = {
  label: "Anthropic strict",
  optional: "absent",
  allowsRecursion: false,
  distinctFirstFields: false,
  allowsDefault: true,
  allows: (keyword, value) =>
    (keyword === "format" && FORMATS.has(value)) || (keyword === "minItems" && (value === 0 || value === 1)),
  refuse: () => undefined,
};

/** Limits for all strict tools of one request together, from the same page. */
const REQUEST_LIMITS = { tools: 20, optional: 24, unions: 16 };

/** Assigns the limits of one request: first come, first served, so that a tool added later changes none before it. */
export class StrictBudget {
  #tools = 0;
  #optional = 0;
  #unions = 0;

  /** Takes a strict schema's share, or says why there is none left for it. */
  take(schema: JsonSchema): string | undefined {
    const { optional, unions } = countChoices(schema);
    const over = (what: string, limit: number): string =>
      `Anthropic takes at most ${limit} ${what} in all strict tools of one request: name the tools that need it in \`strict\``;
    if (this.#tools + 1 > REQUEST_LIMITS.tools) return over("tools", REQUEST_LIMITS.tools);
    if (this.#optional + optional > REQUEST_LIMITS.optional) return over("optional fields", REQUEST_LIMITS.optional);
    if (this.#unions + unions > REQUEST_LIMITS.unions) return over("unions", REQUEST_LIMITS.unions);
    this.#tools += 1;
    this.#optional += optional;
    this.#unions += unions;
    return undefined;
  }
}

function countChoices(node: unknown): { readonly optional: number; readonly unions: number } {
  let [optional, unions] = [0, 0];
  const walk = (schema: unknown): void => {
    if (!isJsonObject(schema)) return;
    const { properties, required, items, anyOf, $defs, type } = schema;
    if (Array.isArray(anyOf) || Array.isArray(type)) unions += 1;
    if (isJsonObject(properties)) {
      optional += Object.keys(properties).length - (Array.isArray(required) ? required.length : 0);
      for (const child of Object.values(properties)) walk(child);
    }
    walk(items);
    if (Array.isArray(anyOf)) for (const branch of anyOf) walk(branch);
    if (isJsonObject($defs)) for (const definition of Object.values($defs)) walk(definition);
  };
  walk(node);
  return { optional, unions };
}
