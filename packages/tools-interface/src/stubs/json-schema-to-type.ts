import { isJsonObject, type JsonSchema } from "../json.ts";

/** Schemas nested deeper than this print as `unknown`. */
const MAX_DEPTH = 24;

/** How references of one schema document print. */
export interface References {
  /**
   * Type text for a `$ref`, or `undefined` when it points nowhere or TypeScript cannot follow it there.
   *
   * @param guarded Whether the reference stands inside an object or an array, where a type may name itself.
   */
  resolve(reference: string, guarded: boolean): string | undefined;
}

/**
 * The TypeScript type of the values a JSON Schema accepts, on one line.
 *
 * Never narrower than the schema: what TypeScript cannot say (bounds, patterns) is left out, what is not understood
 * prints as `unknown`.
 */
export function jsonSchemaToType(schema: unknown, references: References, depth = 0, guarded = false): string {
  if (schema === false) return "never";
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return "unknown";
  const inner = (part: unknown): string => jsonSchemaToType(part, references, depth + 1, true);
  const beside = (part: unknown): string => jsonSchemaToType(part, references, depth + 1, guarded);
  const parts: string[] = [];

  if (typeof schema["$ref"] === "string") parts.push(references.resolve(schema["$ref"], guarded) ?? "unknown");
  if ("const" in schema) parts.push(literal(schema["const"]));
  else if (Array.isArray(schema["enum"])) parts.push(union(schema["enum"].map(literal)));
  for (const keyword of ["anyOf", "oneOf"]) {
    const choices = schema[keyword];
    if (Array.isArray(choices) && choices.length > 0) parts.push(union(choices.map(beside)));
  }
  if (Array.isArray(schema["allOf"])) parts.push(...schema["allOf"].map(beside));
  const own = ownType(schema, inner, parts.length > 0);
  if (own !== undefined) parts.push(own);

  const known = [...new Set(parts)].filter((part) => part !== "unknown");
  const type =
    known.length === 0 ? "unknown" : known.map((part) => (known.length > 1 ? group(part) : part)).join(" & ");
  return schema["nullable"] === true ? union([type, "null"]) : type;
}

/** What `type` and the keywords that belong to it say; `undefined` when other keywords have said it all. */
function ownType(schema: JsonSchema, inner: (part: unknown) => string, composed: boolean): string | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map((one) => typeNamed(one, schema, inner)));
  if (typeof type === "string") {
    const plain = composed && !("properties" in schema) && !("items" in schema) && type !== "null";
    return plain ? undefined : typeNamed(type, schema, inner);
  }
  if ("properties" in schema || "additionalProperties" in schema) return typeNamed("object", schema, inner);
  if ("items" in schema || "prefixItems" in schema) return typeNamed("array", schema, inner);
  return undefined;
}

function typeNamed(type: unknown, schema: JsonSchema, inner: (part: unknown) => string): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return arrayType(schema, inner);
    case "object":
      return objectType(schema, inner);
    default:
      return "unknown";
  }
}

function arrayType(schema: JsonSchema, inner: (part: unknown) => string): string {
  const { items } = schema;
  const fixed = Array.isArray(items) ? items : schema["prefixItems"];
  if (!Array.isArray(fixed)) return `${group(inner(items))}[]`;
  const rest = Array.isArray(items) ? schema["additionalItems"] : items;
  const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
  const elements = fixed.map((item, index) => (index < least ? inner(item) : `${group(inner(item))}?`));
  if (rest !== false) elements.push(`...${group(inner(rest))}[]`);
  return `[${elements.join(", ")}]`;
}

function objectType(schema: JsonSchema, inner: (part: unknown) => string): string {
  const { properties, required, additionalProperties: extra, propertyNames } = schema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = names.map((name) => {
    const type = inner((properties as JsonSchema)[name]);
    return `${propertyName(name)}${needed.has(name) ? "" : "?"}: ${type}`;
  });
  if (names.length === 0) {
    if (extra === false) return "{ [key: string]: never }";
    // Not Record<>: an alias may name itself inside an index signature or a mapped type, but not inside Record<>.
    const values = isJsonObject(extra) ? inner(extra) : "unknown";
    const keys = isJsonObject(propertyNames) ? propertyNames["enum"] : undefined;
    return Array.isArray(keys)
      ? `{ [Key in ${union(keys.map(literal))}]?: ${values} }`
      : `{ [key: string]: ${values} }`;
  }
  const type = `{ ${fields.join("; ")} }`;
  return isJsonObject(extra) ? `${type} & { [key: string]: unknown }` : type;
}

function literal(value: unknown): string {
  if (value === null || ["string", "boolean"].includes(typeof value)) return JSON.stringify(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "number";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (!isJsonObject(value)) return "unknown";
  const fields = Object.entries(value).map(([key, inner]) => `${propertyName(key)}: ${literal(inner)}`);
  return fields.length === 0 ? "{ [key: string]: never }" : `{ ${fields.join("; ")} }`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0) return "never";
  return distinct.includes("unknown")
    ? "unknown"
    : distinct.map((type) => (distinct.length > 1 ? group(type) : type)).join(" | ");
}

/** Brackets a type that a following `[]`, `|` or `&` would otherwise take apart. */
function group(type: string): string {
  return /[|&]/.test(type.replaceAll(/"(?:[^"\\]|\\.)*"/g, "")) && !isBracketed(type) ? `(${type})` : type;
}

function isBracketed(type: string): boolean {
  if (!/^[[{(]/.test(type)) return false;
  const bare = type.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => "_".repeat(text.length));
  let depth = 0;
  for (let index = 0; index < bare.length; index += 1) {
    const character = bare.charAt(index);
    if ("[{(".includes(character)) depth += 1;
    else if ("]})".includes(character)) depth -= 1;
    if (depth === 0) return index === bare.length - 1;
  }
  return false;
}
