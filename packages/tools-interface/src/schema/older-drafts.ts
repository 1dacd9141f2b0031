import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { DATA_KEYWORDS, NAMED_SCHEMAS } from "./schema-keywords.ts";

/** One place of a schema that was read otherwise than it stands there. */
export interface SchemaChange {
  /** Where, as a JSON Pointer after `#`, for example `#/properties/limit/exclusiveMinimum`. */
  readonly path: string;
  /** How it was read, for a person. */
  readonly message: string;
}

const BOUNDS = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;

/**
 * A schema in which the words of drafts 3 and 4 that later ones do not know are put into later words: bounds that a boolean
 * makes exclusive, `required` in the field itself, the type `any`. Servers still write them, with any `$schema`.
 */
export function readOlderDrafts(schema: JsonSchema): {
  readonly schema: JsonSchema;
  readonly changes: readonly SchemaChange[];
} {
  const changes: SchemaChange[] = [];
  const read = (node: unknown, path: string): unknown => {
    if (Array.isArray(node)) return node.map((one, index) => read(one, `${path}/${index}`));
    if (!isJsonObject(node)) return node;
    const note = (keyword: string, message: string): void => void changes.push({ path: `${path}/${keyword}`, message });
    const later = withRequiredNames(withType(withBounds(node, note), note), note);
    return Object.fromEntries(
      Object.entries(later).map(([key, value]) => {
        if (DATA_KEYWORDS.has(key)) return [key, value];
        const at = `${path}/${escaped(key)}`;
        if (!NAMED_SCHEMAS.has(key) || !isJsonObject(value)) return [key, read(value, at)];
        return [
          key,
          Object.fromEntries(Object.entries(value).map(([name, one]) => [name, read(one, `${at}/${escaped(name)}`)])),
        ];
      }),
    );
  };
  return { schema: read(schema, "#") as JsonSchema, changes };
}

type Note = (keyword: string, message: string) => void;

function withBounds(node: JsonSchema, note: Note): JsonSchema {
  let later = node;
  for (const [exclusive, plain] of BOUNDS) {
    const { [exclusive]: isExclusive, [plain]: bound, ...others } = later;
    if (typeof isExclusive !== "boolean") continue;
    const isBound = isExclusive && typeof bound === "number";
    note(
      exclusive,
      isBound
        ? `${isExclusive} was read as draft 4 does: ${exclusive} is ${bound}`
        : `${isExclusive} was left out: it says nothing`,
    );
    later = { ...others, ...(isBound ? { [exclusive]: bound } : bound !== undefined && { [plain]: bound }) };
  }
  return later;
}

function withType(node: JsonSchema, note: Note): JsonSchema {
  const { type, ...others } = node;
  if (![type].flat().includes("any")) return node;
  note("type", '"any" was read as draft 3 does: any type');
  return others;
}

/** Names of fields that say of themselves that they are required, and no boolean beside them. */
function withRequiredNames(node: JsonSchema, note: Note): JsonSchema {
  const { required, properties } = node;
  const own = typeof required === "boolean" ? undefined : required;
  const names = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, field]) =>
    isJsonObject(field) && field["required"] === true ? name : [],
  );
  if (own === required && names.length === 0) return node;
  if (own !== required)
    note("required", `${String(required)} was read as draft 3 does: whether this field must be there`);
  const { required: _, ...others } = node;
  const all = [...new Set([...(Array.isArray(own) ? (own as unknown[]) : []), ...names])];
  return own === undefined && names.length === 0
    ? others
    : { ...others, required: Array.isArray(own) || own === undefined ? all : own };
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
