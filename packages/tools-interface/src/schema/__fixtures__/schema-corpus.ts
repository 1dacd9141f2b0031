import { readFileSync } from "node:fs";
import type { JsonSchema } from "../../json/json.ts";

/** A JSON Schema as other libraries and servers write them. */
export interface CorpusEntry {
  readonly name: string;
  readonly schema: unknown;
  /** The definitions that it refers to. */
  readonly defs?: JsonSchema;
  /** Whether it goes out strict. */
  readonly openai: boolean;
  readonly anthropic: boolean;
  /** Branches of a union differ in nothing but what `null` means in a field. */
  readonly absentIsNull?: boolean;
  readonly unsatisfiable?: boolean;
  readonly samples?: readonly string[];
  readonly draft?: "7";
}

export const schemaCorpus = JSON.parse(
  readFileSync(new URL("schema-corpus.json", import.meta.url), "utf8"),
) as readonly CorpusEntry[];

/** A tool with the schema as a field that has to be there, and as one that may be left out. */
export function toolTaking({ schema, defs }: Pick<CorpusEntry, "schema" | "defs">) {
  const properties = { needed: schema, spare: schema };
  const parameters: JsonSchema = { type: "object", properties, required: ["needed"], ...(defs && { $defs: defs }) };
  return { name: "t", description: "d", parameters };
}
