import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { mapSchemas } from "./map-schemas.ts";

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
  const read = mapSchemas(schema, (node, path) => {
    const note = (keyword: string, message: string): void => void changes.push({ path: `${path}/${keyword}`, message });
    return withRequiredNames(withType(withBounds(node, note), note), note);
  });
  return { schema: read, changes };
}

type Note = (keyword: string, message: string) => void;

function withBounds(node: JsonSchema, note: Note): JsonSchema {
  let later = node;
  for (const [exclusive, plain] of BOUNDS) {
    const { [exclusive]: isExclusive, ...others } = later;
    if (typeof isExclusive !== "boolean") continue;
    const { [plain]: bound, ...unbound } = others;
    const isBound = isExclusive && typeof bound === "number";
    const read = isBound ? `read as draft 4 does: ${exclusive} is ${bound}` : "left out: it says nothing";
    note(exclusive, `${isExclusive} was ${read}`);
    later = isBound ? { ...unbound, [exclusive]: bound } : others;
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
  const { required, ...others } = node;
  const fields = isJsonObject(others["properties"]) ? Object.entries(others["properties"]) : [];
  const names = fields.flatMap(([name, field]) => (isJsonObject(field) && field["required"] === true ? name : []));
  const isFlag = typeof required === "boolean";
  if (isFlag) note("required", `${required} was read as draft 3 does: whether this field must be there`);
  else if (names.length === 0 || (required !== undefined && !Array.isArray(required))) return node;
  const all = [...new Set([...(isFlag ? [] : ((required ?? []) as unknown[])), ...names])];
  return all.length === 0 ? others : { ...others, required: all };
}
