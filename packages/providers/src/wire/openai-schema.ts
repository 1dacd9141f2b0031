import type { JsonSchema } from "@dispatch/tools-interface";
import { type SourceTool, isJsonObject } from "@dispatch/tools-interface/internal";
import { collectChanges } from "./format-report.ts";
import { toRootObject } from "./root-object.ts";
import { type StrictDialect, strictSchemas } from "./strict-schema.ts";
import { type PreparedSchema, type StrictOptions, asksStrict, compileStrict } from "./wire-tools.ts";

/** Prepares a tool's schema for both APIs of OpenAI. */
export function prepareForOpenAi(tool: SourceTool, options: StrictOptions): PreparedSchema {
  const { changes, note } = collectChanges();
  const schema = toRootObject(tool.parameters, note);
  const loose = { schema, plans: [], strict: false, changes };
  if (!asksStrict(options, tool)) return loose;
  const compiled = compileStrict(schema, OPENAI_STRICT);
  if (typeof compiled === "string") return { ...loose, notStrict: compiled };
  return { schema: compiled.schema, plans: [compiled.plan], strict: true, changes: [...changes, ...compiled.changes] };
}

/** Ceilings of OpenAI's Structured Outputs, from its guide "Supported schemas" as of 2026-11. */
const LIMITS = {
  /** Properties of all objects together. */
  properties: 5000,
  /** Levels of objects and lists. Until 2025 it was 5. */
  levels: 10,
  /** Values of all enums together. */
  values: 1000,
  /** Characters of property names, definition names and enum values together. */
  characters: 120_000,
  /** Characters of the texts of one enum that has more than `manyValues` of them. */
  valueChars: 15_000,
  /** See `valueChars`. */
  manyValues: 250,
};

const FORMATS = new Set<unknown>([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);
const KEPT = new Set([
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minItems",
  "maxItems",
]);
/** Look-around and back references, which its patterns do not support. */
const BEYOND_REGULAR = /\(\?(?:[=!]|<[=!])|\\[1-9bB]|\\k</;

/** The subset of JSON Schema that OpenAI enforces in strict mode. */
export const OPENAI_STRICT: StrictDialect = {
  label: "OpenAI strict",
  optional: "null",
  allowsRecursion: true,
  distinctFirstFields: true,
  allowsDefault: false,
  allows(keyword, value) {
    if (keyword === "format") return FORMATS.has(value);
    if (keyword === "pattern") return typeof value === "string" && !BEYOND_REGULAR.test(value);
    return KEPT.has(keyword);
  },
  refuse(schema) {
    const size = measure(schema);
    if (size.properties > LIMITS.properties) return `has ${size.properties} fields, allowed are ${LIMITS.properties}`;
    if (size.levels > LIMITS.levels) return `is nested in ${size.levels} levels, allowed are ${LIMITS.levels}`;
    if (size.values > LIMITS.values) return `lists ${size.values} values, allowed are ${LIMITS.values}`;
    if (size.crowded) return `lists values of more than ${LIMITS.valueChars} characters at one place`;
    if (size.characters > LIMITS.characters) {
      return `names fields and values with ${size.characters} characters, allowed are ${LIMITS.characters}`;
    }
    return undefined;
  },
};

function measure(strict: JsonSchema) {
  const size = { properties: 0, levels: 0, values: 0, characters: 0, crowded: false };
  const addNames = (named: unknown): number => {
    const names = Object.keys(isJsonObject(named) ? named : {});
    size.characters += names.join("").length;
    return names.length;
  };
  for (const { schema, level } of strictSchemas(strict)) {
    size.levels = Math.max(size.levels, level);
    size.properties += addNames(schema["properties"]);
    addNames(schema["$defs"]);
    const values = (schema["enum"] ?? []) as readonly unknown[];
    const characters = values.reduce<number>((sum, value) => sum + JSON.stringify(value).length, 0);
    size.values += values.length;
    size.characters += characters;
    size.crowded ||= values.length > LIMITS.manyValues && characters > LIMITS.valueChars;
  }
  return size;
}
