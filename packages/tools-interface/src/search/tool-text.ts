import type { ToolDefinition } from "../call/tool.ts";
import { toSearchWords } from "./search-words.ts";

/** The words of a tool by where they stand. */
export type ToolText = readonly [
  name: readonly string[],
  description: readonly string[],
  parameters: readonly string[],
];

/** How deep parameters are read. Deeper ones tell what the tool takes, not what it does. */
const MAX_DEPTH = 5;
/** How much of the texts of one field is read, in characters. */
const MAX_CHARS = 8_000;

/** Reads the name, the description, and the names, descriptions and allowed values of the parameters. */
export function readToolText({ name, description, parameters }: ToolDefinition): ToolText {
  const texts: string[] = [];
  collect(parameters, texts, MAX_DEPTH);
  return [name, description, texts.join(" ")].map((text) => toSearchWords(text.slice(0, MAX_CHARS))) as never;
}

function collect(schema: unknown, texts: string[], depth: number): void {
  if (typeof schema !== "object" || schema === null || depth === 0) return;
  const { properties, items, description, enum: allowed } = schema as Record<string, unknown>;
  if (typeof description === "string" && depth < MAX_DEPTH) texts.push(description);
  if (Array.isArray(allowed)) texts.push(...allowed.filter((value) => typeof value === "string"));
  for (const [key, value] of Object.entries(properties ?? {})) {
    texts.push(key);
    collect(value, texts, depth - 1);
  }
  collect(items, texts, depth - 1);
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const schemas: unknown = (schema as Record<string, unknown>)[key];
    if (Array.isArray(schemas)) for (const one of schemas) collect(one, texts, depth - 1);
  }
}
