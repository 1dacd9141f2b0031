import { isJsonObject, type JsonSchema } from "../json/json.ts";
import type { ArgumentTypes } from "./rule-language.ts";

/** The type of arguments that are not known. */
export const ANY_ARGUMENTS = "map<string, dyn>";

const IDENTIFIER = /^[A-Za-z_]\w*$/;
const MAX_DEPTH = 8;

/** The types of a tool's arguments as far as its schema says them, so that a rule about a field it has not is found. */
export function argumentTypes(schema: JsonSchema): ArgumentTypes {
  const types = typesOf(schema, 0);
  return typeof types === "string" ? ANY_ARGUMENTS : types;
}

function typesOf(schema: unknown, depth: number): ArgumentTypes {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return "dyn";
  const { type, enum: listed, properties, items } = schema;
  if (type === undefined && Array.isArray(listed) && listed.every((value) => typeof value === "string"))
    return "string";
  if (type === "string") return "string";
  if (type === "boolean") return "bool";
  if (type === "number" || type === "integer") return "double";
  if (type === "array") {
    const item = typesOf(items, depth + 1);
    return typeof item === "string" && !item.startsWith("list") ? `list<${item}>` : "list<dyn>";
  }
  if (type !== "object" || !isJsonObject(properties)) return "dyn";
  const fields = Object.entries(properties);
  // Other names cannot be checked by the engine, so nothing of such an object is.
  if (fields.length === 0 || !fields.every(([name]) => IDENTIFIER.test(name))) return ANY_ARGUMENTS;
  return Object.fromEntries(fields.map(([name, field]) => [name, typesOf(field, depth + 1)]));
}
