import { truncate } from "../error/describe-received.ts";
import { InvalidToolError, thrownMessage } from "../error/tool-error.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import type { SourceSchema } from "./compiled-schema.ts";
import { withoutComputedDefaults } from "./computed-defaults.ts";
import { mapSchemas } from "./map-schemas.ts";
import { copyJsonSchema } from "./schema-copy.ts";
import { EFFECT_ADVICE } from "./schema-source.ts";
import { type StandardSchema, standardValidate } from "./standard-schema.ts";
import { isZod3 } from "./zod3-schema.ts";
import { zod4Converter } from "./zod4-converter.ts";

/** Prepares a Standard Schema. `role` and `side` as in `compileSchema`. */
export function compileStandardSchema(schema: StandardSchema, role: string, side: "input" | "output"): SourceSchema {
  const validate = standardValidate(schema, role);
  const convert = converterOf(schema, role, side);
  let jsonSchema: unknown;
  try {
    jsonSchema = convert(schema);
  } catch (cause) {
    if (cause instanceof InvalidToolError) throw cause;
    throw new InvalidToolError(`Cannot use the ${role}: ${whyNot(schema, convert, cause, side)}`, { cause });
  }
  const { vendor } = schema["~standard"];
  const converted = withoutComputedDefaults(asJsonSchema(jsonSchema, vendor, role), () =>
    asJsonSchema(convert(schema), vendor, role),
  );
  if (vendor === "effect" && side === "input") return { jsonSchema: leaveObjectsUnsaid(converted), validate };
  if (!isZod4(schema) || side === "output") return { jsonSchema: converted, validate };
  return { jsonSchema: closeObjects(converted), validate, readsUnknownFields: beginsWithFunction(schema) };
}

/** Advice for a library whose schemas carry no converter of their own. */
const ADVICE = new Map([
  ["valibot", "write toStandardJsonSchema(schema), from @valibot/to-json-schema"],
  ["arktype", "arktype 2.1.28 or later has it"],
  ["effect", EFFECT_ADVICE],
]);

/** Checks and changes of Valibot that do not alter the kind of value sent; its converter refuses them by itself. */
const VALIBOT_IGNORED = [
  "brand",
  "check",
  "check_items",
  "flavor",
  "normalize",
  "partial_check",
  "raw_check",
  "readonly",
  "to_lower_case",
  "to_upper_case",
  "trim",
  "trim_end",
  "trim_start",
];

/** ArkType's hook for a type that JSON lacks; by default it would accept any value there. */
function unknownToJson({ code, proto, domain }: { code: string; proto?: { name?: string }; domain?: string }): never {
  throw new TypeError(`${proto?.name ?? domain ?? code} cannot be represented in JSON Schema`);
}

/** The library's options beside the target. */
function libraryOptions(vendor: string, side: "input" | "output"): object | undefined {
  if (vendor === "valibot") return { ignoreActions: VALIBOT_IGNORED };
  if (vendor === "zod" && side === "input") return { override: openFunctions };
  if (vendor !== "arktype" || side === "output") return undefined;
  return { fallback: { date: unknownToJson, proto: unknownToJson, domain: unknownToJson } };
}

type Convert = (schema: unknown) => unknown;

function converterOf(schema: StandardSchema, role: string, side: "input" | "output"): Convert {
  const { jsonSchema, vendor } = schema["~standard"];
  const hasConverter = typeof (jsonSchema as Partial<Record<string, unknown>> | undefined)?.[side] === "function";
  if (!hasConverter && !(jsonSchema === undefined && isZod4(schema))) {
    const advice = ADVICE.get(vendor) ?? "wrap it with the library's own converter, or give a JSON Schema";
    throw new InvalidToolError(
      `Cannot use the ${role}: this ${vendor} schema has no "~standard".jsonSchema.${side}, ${advice}`,
    );
  }
  const options = libraryOptions(vendor, side);
  const target = { target: "draft-2020-12", ...(options && { libraryOptions: options }) };
  return (part) => {
    // Of a part that is no schema of the same library there may be none: then this throws, as a conversion does.
    const converters = (part as { readonly "~standard": { readonly jsonSchema?: Converters } })["~standard"].jsonSchema;
    try {
      return (converters as Converters)[side](target);
    } catch (cause) {
      if (!isZod4(part)) throw cause;
      // Schemas of zod/mini have no converter, and that of Zod's others does not know them.
      try {
        return zod4JsonSchema(part, role, side, options);
      } catch (other) {
        throw converters === undefined ? other : cause;
      }
    }
  };
}

type Converters = { readonly [side in "input" | "output"]: (options: object) => unknown };

function whyNot(schema: StandardSchema, convert: Convert, outermost: unknown, side: "input" | "output"): string {
  const { field, part, cause } = failingPart(schema, convert, outermost);
  const where = field === "" ? "" : `its field ${field}: `;
  if (isZod3(part)) return `${where}found a Zod 3 schema in one of Zod 4, allowed are schemas of the same zod`;
  const advice =
    side === "input"
      ? "use a type that JSON has, such as z.iso.datetime() for a date"
      : "describe what is produced with a type that JSON has, a transform by piping it into one: .pipe(z.number())";
  return `${where}${truncate(thrownMessage(cause), 300)}; ${advice}`;
}

function asJsonSchema(answered: unknown, vendor: string, role: string): JsonSchema {
  try {
    return copyJsonSchema(answered);
  } catch (cause) {
    throw new InvalidToolError(
      `Cannot use the ${role}: what the ${vendor} schema converts itself to cannot be used, ${truncate(thrownMessage(cause), 300)}`,
      { cause },
    );
  }
}

/**
 * The JSON Schema of the values that a Zod 4 schema accepts, with its plain objects closed: `z.object` drops the fields
 * that it does not name, so a model need not send them. Zod's converter closes them for Zod 3, and for Zod 4 only on
 * the output side. It converts loose and strict objects correctly. The parts of an intersection stay as they are: each
 * names some of the fields.
 */
function closeObjects(schema: JsonSchema): JsonSchema {
  if (JSON.stringify(schema).includes('"allOf":')) return schema;
  return mapObjects(schema, (node) =>
    "additionalProperties" in node ? node : { ...node, additionalProperties: false },
  );
}

/**
 * The JSON Schema of the values that an Effect schema accepts, without a rule for fields that a struct does not name:
 * Effect's converter allows them, and its decoder drops them.
 */
function leaveObjectsUnsaid(schema: JsonSchema): JsonSchema {
  return mapObjects(schema, ({ additionalProperties, ...node }) =>
    additionalProperties === true
      ? node
      : { ...node, ...(additionalProperties !== undefined && { additionalProperties }) },
  );
}

/** Changes each schema of an object with named fields. */
function mapObjects(schema: JsonSchema, change: (node: JsonSchema) => JsonSchema): JsonSchema {
  return mapSchemas(schema, (node) =>
    node["type"] === "object" && isJsonObject(node["properties"]) ? change(node) : node,
  );
}

/**
 * Says of an object that a function reads first that it allows any fields: the function may use them. Called by Zod's
 * converter for each part; of the root `beginsWithFunction` is asked.
 */
function openFunctions({ zodSchema, jsonSchema, path }: ConvertedPart): void {
  const isObject = jsonSchema["type"] === "object" && isJsonObject(jsonSchema["properties"]);
  if (path.length > 0 && isObject && beginsWithFunction(zodSchema)) jsonSchema["additionalProperties"] = true;
}

/** The argument of the `override` of Zod's converter. */
interface ConvertedPart {
  readonly zodSchema: unknown;
  readonly jsonSchema: Record<string, unknown>;
  readonly path: readonly (string | number)[];
}

/** True for a schema that passes the value to a function first, as `z.preprocess` does: it may read any field. */
function beginsWithFunction(schema: unknown): boolean {
  let part = schema;
  while (isZod4(part)) {
    const { type, in: input, innerType }: Zod4Schema["_zod"]["def"] = part._zod.def;
    if (type === "transform") return true;
    part = input ?? innerType;
  }
  return false;
}

/** The parts read of a Zod 4 schema, `zod/mini` included. */
interface Zod4Schema {
  /** The part of a schema that all of Zod 4 shares. */
  readonly _zod: {
    /** How the schema was made. */
    readonly def: { readonly [key: string]: unknown };
    /** Version of Zod's core that made it: 4.0.0 for `zod/v4` inside zod 3.25. Absent in the first releases. */
    readonly version?: { readonly major: number; readonly minor: number; readonly patch: number };
  };
  /** The description and the like. `zod/mini` has no such method. */
  readonly meta?: () => object | undefined;
}

/** True for a schema made by any copy of Zod 4. */
function isZod4(value: unknown): value is Zod4Schema {
  if (typeof value !== "object" || value === null || !("_zod" in value)) return false;
  const { _zod: core } = value;
  return (
    typeof core === "object" && core !== null && "def" in core && typeof core.def === "object" && core.def !== null
  );
}

/**
 * Converts a Zod 4 schema that has no converter of its own: `zod/mini`, Zod 4.0 and 4.1, and `zod/v4` inside zod 3.25.
 *
 * Descriptions are asked of the schemas themselves, since copies of zod before 4.1 each keep their own.
 */
function zod4JsonSchema(
  schema: Zod4Schema,
  role: string,
  side: "input" | "output",
  options: object | undefined,
): unknown {
  const { major = 4, minor = 0, patch = 0 } = schema._zod.version ?? {};
  const core = zod4Converter({ major, minor, patch }, role);
  if (minor === 0 && typeof schema.meta !== "function") {
    throw new InvalidToolError(
      `Cannot use the ${role}: found a schema of zod/mini ${major}.${minor}.${patch}, whose descriptions cannot be read, allowed are 4.2 and later`,
    );
  }
  const metadata = {
    get: (one: Zod4Schema) => (typeof one.meta === "function" ? one.meta() : core.globalRegistry.get(one as never)),
    has: () => false,
  };
  return core.toJSONSchema(schema as never, { io: side, metadata: metadata as never, ...options });
}

/** Objects and lists nested deeper than this are not looked into. */
const MAX_DEPTH = 20;

/** Finds the part of a schema because of which its conversion failed, and its place, such as `edits[].when`; empty for the whole. */
function failingPart(
  schema: unknown,
  convert: (schema: unknown) => unknown,
  cause: unknown,
  field = "",
  depth = 0,
): { readonly field: string; readonly part: unknown; readonly cause: unknown } {
  if (isZod4(schema) && depth < MAX_DEPTH) {
    for (const [key, part] of partsOf(schema._zod.def)) {
      try {
        convert(part);
      } catch (inner) {
        const dot = field === "" || key === "" || key === "[]" ? "" : ".";
        return failingPart(part, convert, inner, field + dot + key, depth + 1);
      }
    }
  }
  return { field, part: schema, cause };
}

type Parts = readonly (readonly [key: string, part: unknown])[];

function partsOf({ shape, element, innerType, in: input }: Zod4Schema["_zod"]["def"]): Parts {
  if (typeof shape === "object" && shape !== null) return Object.entries(shape);
  if (element !== undefined) return [["[]", element]];
  const inner = innerType ?? input;
  return inner === undefined ? [] : [["", inner]];
}
