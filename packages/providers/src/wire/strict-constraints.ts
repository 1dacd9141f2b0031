import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject } from "@dispatch/tools-interface/internal";
import { at } from "./format-report.ts";
import { CONDITIONS, CONSTRAINTS, type SchemaCompiler, type SchemaType } from "./strict-dialect.ts";

/** How long one constraint gets in a description, in characters. */
const MAX_NOTE = 200;

/** The constraints of a node that a subset keeps, and notes for the description on those that it does not. */
export function constrain(
  compiler: Pick<SchemaCompiler, "dialect" | "note">,
  node: JsonSchema,
  types: readonly SchemaType[],
  path: string,
): { readonly kept: JsonSchema; readonly notes: readonly string[] } {
  const { dialect } = compiler;
  const kept: Record<string, unknown> = {};
  const notes: string[] = [];
  const describeIt = (keyword: string, value: unknown, words = `${keyword}: ${short(value)}`): void => {
    notes.push(words);
    compiler.note(at(path, keyword), keyword, "described", `${dialect.label} does not enforce it`);
  };
  const isKept = (keyword: string): boolean => Object.hasOwn(node, keyword) && dialect.allows(keyword, node[keyword]);
  const keywords = new Set(types.flatMap((type) => CONSTRAINTS[type]));
  for (const keyword of keywords) {
    const value = node[keyword];
    if (value === undefined || isEmpty(keyword, value)) continue;
    // A library writes the same rule twice: as a format and as a pattern of hundreds of characters.
    const isRepeated = keyword === "pattern" && isKept("format");
    if (isRepeated || isSafeBound(value))
      compiler.note(at(path, keyword), keyword, "dropped", "it goes without saying");
    else if (dialect.allows(keyword, value)) kept[keyword] = value;
    else describeIt(keyword, value);
  }
  for (const keyword of CONDITIONS) if (Object.hasOwn(node, keyword)) describeIt(keyword, node[keyword]);
  if (Object.hasOwn(node, "default")) {
    if (dialect.allowsDefault) kept["default"] = node["default"];
    else describeIt("default", node["default"]);
  }
  if (Array.isArray(node["examples"])) describeIt("examples", node["examples"]);
  return { kept, notes };
}

/** `description` of a node with notes after it; nothing when there is nothing to say. */
export function describe(node: JsonSchema, notes: readonly string[]): { readonly description?: string } {
  const own = typeof node["description"] === "string" ? node["description"] : "";
  const description = [own, notes.length > 0 ? `(${notes.join("; ")})` : ""].filter((part) => part !== "").join(" ");
  return description === "" ? {} : { description };
}

/** The bounds that Zod writes beside every integer. */
function isSafeBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}

/** A constraint that every value meets. */
function isEmpty(keyword: string, value: unknown): boolean {
  return (
    (keyword === "uniqueItems" && value === false) ||
    (keyword === "propertyNames" &&
      isJsonObject(value) &&
      Object.keys(value).every((key) => ["type", "enum"].includes(key)))
  );
}

/** The JSON text of a value, cut to the room in a description. */
export function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > MAX_NOTE ? `${text.slice(0, MAX_NOTE)}…` : text;
}
