import { isPlain } from "../error/check-options.ts";
import { InvalidToolError } from "../error/tool-error.ts";
import { isJsonObject } from "../json/json.ts";

/** The code to write if an object of schemas is given instead of a schema, by the library of those schemas. */
const OBJECT_OF = new Map([
  ["zod", "z.object({ … })"],
  ["valibot", "toStandardJsonSchema(v.object({ … }))"],
  ["arktype", "type({ … })"],
]);

/** True for a plain object, the only kind of object that is taken for a JSON Schema. */
export function isPlainObject(value: unknown): value is { readonly [key: string]: unknown } {
  return isJsonObject(value) && isPlain(value);
}

/** The names of an object's fields that hold schemas: a shape, which is easily taken for a schema. */
export function shapeFields(source: { readonly [key: string]: unknown }): readonly string[] {
  return Object.keys(source).filter((key) => isSchemaObject(source[key]));
}

function isSchemaObject(value: unknown): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return "~standard" in value || "_zod" in value || isBareEffect(value) || ("_def" in value && "parse" in value);
}

/** True for a schema of Effect, which carries no Standard Schema contract until it is asked for one. */
function isBareEffect(value: unknown): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return "~effect/Schema/Schema" in value || Symbol.for("effect/Schema") in value;
}

/** The code that turns an Effect schema into a tool's schema. */
export const EFFECT_ADVICE =
  "with effect 4 write Schema.toStandardSchemaV1(Schema.toStandardJSONSchemaV1(schema)), with effect 3 JSONSchema.make(schema)";

/** The error for a value that is not a schema: names the value found and the code to write instead. */
export function noSchema(source: unknown, role: string): InvalidToolError {
  const { found, advice } = describe(source);
  return new InvalidToolError(
    `Cannot use the ${role}: found ${found}, allowed are a Zod schema, another Standard Schema with JSON Schema, or a JSON Schema object; ${advice}`,
  );
}

function describe(source: unknown): { readonly found: string; readonly advice: string } {
  if (source === undefined || source === null) {
    return { found: `${source}`, advice: "a type exists only at compile time, give the schema itself" };
  }
  if (isBareEffect(source)) return { found: "an Effect schema", advice: EFFECT_ADVICE };
  if (typeof source === "string")
    return { found: "a string", advice: "parse it first if it is JSON: JSON.parse(text)" };
  if (typeof source === "function") {
    const name = JSON.stringify(source.name.slice(0, 40));
    return isClass(source)
      ? { found: `the class ${name}`, advice: "describe its fields, such as z.object({ … })" }
      : { found: `the function ${name}`, advice: "call it if it makes a schema, such as z.object({ … })" };
  }
  if (typeof source !== "object") return { found: `a ${typeof source}`, advice: "write z.object({ … })" };
  if (Array.isArray(source)) return { found: "an array", advice: "write z.object({ … }) and name the fields" };
  if ("then" in source && typeof source.then === "function") return { found: "a promise", advice: "await it first" };
  const fields = isJsonObject(source) ? shapeFields(source) : [];
  if (fields.length > 0) return { found: `an object with schemas in ${listed(fields)}`, advice: objectAdvice(source) };
  return { found: "an object of a class of its own", advice: "give the schema itself, or a plain object" };
}

function isClass(source: object): boolean {
  return Function.prototype.toString.call(source).startsWith("class");
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)));
  return shown.join(", ") + (names.length > shown.length ? ` and ${names.length - shown.length} more` : "");
}

function objectAdvice(source: object): string {
  if (Object.values(source).some(isBareEffect)) return `write Schema.Struct({ … }) around the fields; ${EFFECT_ADVICE}`;
  const [first] = Object.values(source).filter(isSchemaObject) as {
    readonly "~standard"?: { readonly vendor?: string };
  }[];
  const vendor = first?.["~standard"]?.vendor ?? "zod";
  return `write ${OBJECT_OF.get(vendor) ?? "an object schema of the library"} around the fields`;
}
