import { truncate } from "../error/describe-received.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import {
  alternatives,
  isRequired,
  kindsOf,
  onceFor,
  propertiesOf,
  valuesOf,
  type Alternatives,
} from "../schema/schema-node.ts";

/** Most characters of one description. */
const MAX_LENGTH = 120;
/** Most values or fields that are named. */
const MAX_NAMED = 12;

/** Describes the allowed values of a location in words: `integer from 0 to 14`, `one of "a", "b"`, `array of string`. */
export const describeExpected = onceFor((allowed, root: JsonSchema) =>
  truncate(describe(allowed, root, 0), MAX_LENGTH),
);

function describe(allowed: Alternatives, root: JsonSchema, depth: number): string {
  const values = allowed.flatMap((one) => valuesOf(one) ?? []);
  const open = allowed.filter((one) => valuesOf(one) === undefined);
  const words = open.map((one) => describeOne(one, root, depth));
  if (values.length > 0) words.unshift(describeValues(values));
  return [...new Set(words)].join(" or ") || "another value";
}

function describeValues(values: readonly unknown[]): string {
  const named = [...new Set(values.map((value) => JSON.stringify(value)))];
  if (named.length === 1) return named[0] ?? "";
  const more = named.length > MAX_NAMED ? ` … (${named.length} in all)` : "";
  return `one of ${named.slice(0, MAX_NAMED).join(", ")}${more}`;
}

function describeOne(one: JsonSchema, root: JsonSchema, depth: number): string {
  const kinds = kindsOf(one) ?? (isJsonObject(one["properties"]) ? ["object"] : undefined);
  return kinds?.map((kind) => describeKind(kind, one, root, depth)).join(" or ") ?? "any value";
}

function describeKind(kind: string, one: JsonSchema, root: JsonSchema, depth: number): string {
  switch (kind) {
    case "string":
      return `string${describeSize(one, "Length", "character")}${describeForm(one)}`;
    case "integer":
    case "number":
      return `${kind}${describeRange(one)}`;
    case "array":
      return `array${describeItems(one, root, depth)}${describeSize(one, "Items", "item")}`;
    case "object":
      return `object${describeFields(one)}`;
    default:
      return kind;
  }
}

function describeForm({ format, pattern }: JsonSchema): string {
  if (typeof format === "string") return ` in the form of ${/^[aeiou]/i.test(format) ? "an" : "a"} ${format}`;
  return typeof pattern === "string" ? ` matching /${truncate(pattern, 60)}/` : "";
}

function describeSize(one: JsonSchema, keyword: "Length" | "Items", unit: string): string {
  const least = numberOf(one[`min${keyword}`]) ?? 0;
  const most = numberOf(one[`max${keyword}`]);
  const counted = (count: number): string => `${count} ${unit}${count === 1 ? "" : "s"}`;
  if (least === 0) return most === undefined ? "" : ` of at most ${counted(most)}`;
  if (most === undefined) return ` of at least ${counted(least)}`;
  return least === most ? ` of ${counted(least)}` : ` of ${least} to ${counted(most)}`;
}

function describeRange(one: JsonSchema): string {
  const least = numberOf(one["minimum"]);
  const most = numberOf(one["maximum"]);
  const bounds =
    least !== undefined && most !== undefined
      ? ` from ${least} to ${most}`
      : bound(" of at least ", least) + bound(" of at most ", most);
  const open =
    bound(" above ", numberOf(one["exclusiveMinimum"])) + bound(" below ", numberOf(one["exclusiveMaximum"]));
  return `${bounds}${open}${bound(" in steps of ", numberOf(one["multipleOf"]))}`;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function bound(words: string, value: number | undefined): string {
  return value === undefined ? "" : words + String(value);
}

function describeItems(one: JsonSchema, root: JsonSchema, depth: number): string {
  const { items } = one;
  if (!isJsonObject(items) || depth > 1) return "";
  const allowed = alternatives(items, root);
  const of = describe(allowed, root, depth + 1);
  return of === "any value" ? "" : ` of ${allowed.length > 1 ? `(${of})` : of}`;
}

function describeFields(one: JsonSchema): string {
  const names = Object.keys(propertiesOf(one));
  if (names.length === 0) return "";
  const named = names.slice(0, MAX_NAMED).map((name) => (isRequired(one, name) ? name : `${name}?`));
  return ` { ${named.join(", ")}${names.length > MAX_NAMED ? ", …" : ""} }`;
}
