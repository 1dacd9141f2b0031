import { dereference, format as formats } from "@cfworker/json-schema";
import { truncate } from "../error/describe-received.ts";
import { InvalidToolError, thrownMessage } from "../error/tool-error.ts";
import type { JsonSchema } from "../json/json.ts";
import type { Checked, SourceSchema } from "./compiled-schema.ts";
import { readOlderDrafts } from "./older-drafts.ts";
import { checkRawJsonSchema } from "./raw-json-schema-check.ts";
import { copyJsonSchema } from "./schema-copy.ts";
import { Faults, type Check } from "./validate/check.ts";
import { compileChecks, type SchemaDocument } from "./validate/compile-checks.ts";

/**
 * Prepares a plain JSON Schema of draft 4 to 7, 2019-09 or 2020-12, the last unless its `$schema` says otherwise. One that is
 * none because of words of drafts 3 and 4 is read as they mean it. Compiled to
 * functions (`validate/`), so it also works where code may not be generated at run time; references and formats are those
 * of @cfworker/json-schema.
 */
export function compileRawJsonSchema(source: JsonSchema, role: string): SourceSchema {
  try {
    const draft = draftOf(source);
    const copied = copyJsonSchema(source, draft === "7");
    try {
      return compileCopy(copied, draft);
    } catch (cause) {
      const { schema, changes } = readOlderDrafts(copied);
      if (changes.length === 0) throw cause;
      return { ...compileCopy(schema, draft), changes };
    }
  } catch (cause) {
    throw new InvalidToolError(`Cannot use the ${role}: not a JSON Schema, ${truncate(thrownMessage(cause), 300)}`, {
      cause,
    });
  }
}

function compileCopy(jsonSchema: JsonSchema, draft: Draft): SourceSchema {
  // A copy of its own, because the references are noted in it.
  const own = structuredClone(jsonSchema);
  const known = dereference(own);
  const target = (node: Noted): unknown => known[node.__absolute_ref__ ?? node.__absolute_recursive_ref__ ?? ""];
  checkRawJsonSchema(own, target);
  // Compiled at the first value: of many tools few are called.
  let check: Check | undefined;
  const document: SchemaDocument = {
    target,
    isLatest: draft === "2020-12",
    isFormat: (name, text) => {
      // The package's `url` takes time exponential in the length of a text, which a model may choose.
      const format = name === "url" ? "uri" : name;
      return !Object.hasOwn(formats, format) || formats[format]?.(text) !== false;
    },
  };
  return { jsonSchema, validate: (value) => checked((check ??= compileChecks(own, document)), value) };
}

type Draft = "7" | "2019-09" | "2020-12";

function draftOf({ $schema }: JsonSchema): Draft {
  if (typeof $schema !== "string") return "2020-12";
  if (/draft-0[1-3]\b/.test($schema)) throw new TypeError(`${$schema} is too old, allowed are draft 4 and later`);
  return /draft-0[4-7]\b/.test($schema) ? "7" : $schema.includes("2019-09") ? "2019-09" : "2020-12";
}

/** Where the package notes the address that a reference leads to. */
interface Noted {
  readonly __absolute_ref__?: string;
  readonly __absolute_recursive_ref__?: string;
}

function checked(check: Check, value: unknown): Checked {
  try {
    const sent = isJson(value) ? value : withoutUndefined(value);
    if (check(sent)) return { value: sent };
    const faults = new Faults();
    check(sent, faults);
    return faults;
  } catch (error) {
    // Nested deeper than the stack, or with values that JSON lacks.
    const why = error instanceof RangeError ? "it is nested too deeply" : thrownMessage(error);
    return { issues: [{ path: [], message: `cannot be checked, ${truncate(why, 200)}` }] };
  }
}

/** Whether a value holds nothing that JSON does not have. */
function isJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return (typeof value) in JSON_TYPES;
  if (Array.isArray(value)) return value.every(isJson);
  for (const key of Object.keys(value)) if (!isJson((value as JsonSchema)[key])) return false;
  return true;
}

const JSON_TYPES = { object: true, string: true, number: true, boolean: true };

/** The value without fields that hold `undefined`, which JSON leaves out. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    if ((typeof value) in JSON_TYPES || value === undefined) return value;
    throw new TypeError(`JSON has no ${typeof value}`);
  }
  if (Array.isArray(value)) return Array.from(value, withoutUndefined);
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(fields.map(([key, inner]) => [key, withoutUndefined(inner)]));
}
