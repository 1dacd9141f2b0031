import type { ToolDefinition } from "../call/tool.ts";
import { toSearchWords } from "./search-words.ts";

/** The words of a tool by where they stand. */
export type ToolText = readonly [
  name: readonly string[],
  description: readonly string[],
  parameters: readonly string[],
];

/** The depth to which parameters are read. Deeper ones describe the tool's input, not its purpose. */
const MAX_DEPTH = 5;
/** How much of the texts of one field is read, in characters. */
const MAX_CHARS = 8_000;

/** Reads the name, the description, and the names, descriptions and allowed values of the parameters. */
export function readToolText({ name, description, parameters }: ToolDefinition): ToolText {
  const texts = new Texts();
  collect(parameters, texts, MAX_DEPTH);
  return [name, description, texts.all.join(" ")].map((text) => toSearchWords(text.slice(0, MAX_CHARS))) as never;
}

/** Collects texts as long as they are read. */
class Texts {
  readonly all: string[] = [];
  private chars = 0;

  get isFull(): boolean {
    return this.chars > MAX_CHARS;
  }

  add(text: unknown): void {
    if (typeof text !== "string" || this.isFull) return;
    this.all.push(text);
    this.chars += text.length + 1;
  }
}

function collect(schema: unknown, texts: Texts, depth: number): void {
  if (typeof schema !== "object" || schema === null || depth === 0 || texts.isFull) return;
  const { properties, items, description, enum: allowed } = schema as Record<string, unknown>;
  if (depth < MAX_DEPTH) texts.add(description);
  if (Array.isArray(allowed)) for (const value of allowed) texts.add(value);
  for (const [key, value] of Object.entries(properties ?? {})) {
    texts.add(key);
    collect(value, texts, depth - 1);
  }
  collect(items, texts, depth - 1);
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const schemas: unknown = (schema as Record<string, unknown>)[key];
    if (Array.isArray(schemas)) for (const one of schemas) collect(one, texts, depth - 1);
  }
}
