import { replaceInvisible, toEscape } from "../display/invisible.ts";
import { isJsonObject } from "../json/json.ts";
import type { Kind } from "../schema/schema-node.ts";

/** A TypeScript type, as far as JSON Schema can ask for one. */
export type StubType =
  | { readonly kind: "text"; readonly text: string }
  /** A named type, declared beside the function; `variants` as {@link variantsOf} counts them. */
  | { readonly kind: "alias"; readonly name: string; readonly variants: number }
  | { readonly kind: "array"; readonly item: StubType }
  /** The first `least` of the items must be there; `rest` follows them. */
  | { readonly kind: "tuple"; readonly items: readonly StubType[]; readonly least: number; readonly rest?: StubType }
  /** `index` is the type of fields without a name. */
  | { readonly kind: "object"; readonly fields: readonly StubField[]; readonly index?: StubType }
  | { readonly kind: "union" | "intersection"; readonly parts: readonly StubType[] };

/** A named field of an object type. */
export interface StubField {
  /** Any string. */
  readonly name: string;
  readonly type: StubType;
  /** Whether it may be left out. */
  readonly optional: boolean;
  /** Documentation for a reader, not yet safe to stand in a comment. May be empty. */
  readonly doc: string;
}

/** Names of members of every object. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * A named field. Of any type if every object has a member of its name: where an object of a union lacks the field,
 * TypeScript compares the member, and refuses the object if that is of another type.
 */
export function fieldType(name: string, type: StubType, optional: boolean, doc: string): StubField {
  return { name, type: INHERITED.has(name) ? UNKNOWN : type, optional, doc };
}

/** Every kind of JSON value. */
export const ALL_KINDS: readonly Kind[] = ["object", "array", "string", "number", "boolean", "null"];
/** Any value. */
export const UNKNOWN = text("unknown");
export const NEVER = text("never");
/** An object with any fields. Not `Record`: a program may have a type of that name. */
export const OPEN_OBJECT: StubType = { kind: "object", fields: [], index: UNKNOWN };

/** A type by its text: a keyword or a literal. */
export function text(words: string): StubType {
  return { kind: "text", text: words };
}

/** Any value of these kinds. */
export function anyOfKinds(kinds: readonly Kind[]): StubType {
  const anyOf = (kind: Kind): StubType =>
    kind === "object" ? OPEN_OBJECT : kind === "array" ? { kind: "array", item: UNKNOWN } : text(kind);
  return kinds.length === ALL_KINDS.length ? UNKNOWN : union(kinds.map(anyOf));
}

/** A value of one of the types. */
export function union(types: readonly StubType[]): StubType {
  const parts = distinct("union", types).filter((part) => part !== NEVER);
  if (parts.includes(UNKNOWN)) return UNKNOWN;
  return parts.length > 1 ? { kind: "union", parts } : (parts[0] ?? NEVER);
}

/** A value of all of the types. */
export function intersection(types: readonly StubType[]): StubType {
  const parts = distinct("intersection", types).filter((part) => part !== UNKNOWN);
  if (parts.includes(NEVER)) return NEVER;
  return parts.length > 1 ? { kind: "intersection", parts } : (parts[0] ?? UNKNOWN);
}

function distinct(kind: "union" | "intersection", types: readonly StubType[]): readonly StubType[] {
  const parts = types.flatMap((type) => (type.kind === kind ? type.parts : type));
  return parts.length < 2 ? parts : [...new Map(parts.map((part) => [printType(part), part])).values()];
}

/** How many alternatives TypeScript distinguishes in a type. An intersection of unions has as many as their product. */
export function variantsOf(type: StubType): number {
  if (type.kind === "alias") return type.variants;
  if (type.kind === "union") return type.parts.reduce((sum, part) => sum + variantsOf(part), 0);
  return type.kind === "intersection" ? type.parts.reduce((product, part) => product * variantsOf(part), 1) : 1;
}

/** Values nested deeper than this are of any type. */
const MAX_DEPTH = 24;

/** The type of this one JSON value. */
export function literalType(value: unknown, depth = 0): StubType {
  if (typeof value === "string") return text(quote(value));
  if (typeof value === "number") return text(Number.isFinite(value) ? String(value) : "number");
  if (value === null || typeof value === "boolean") return text(String(value));
  if (depth > MAX_DEPTH) return UNKNOWN;
  if (Array.isArray(value)) {
    return { kind: "tuple", items: value.map((item) => literalType(item, depth + 1)), least: value.length };
  }
  if (!isJsonObject(value)) return UNKNOWN;
  const fields = Object.entries(value).map(([name, inner]) =>
    fieldType(name, literalType(inner, depth + 1), false, ""),
  );
  return fields.length > 0 ? { kind: "object", fields } : { kind: "object", fields, index: NEVER };
}

/**
 * TypeScript source of a type.
 *
 * @param note Makes the comment of a field with a doc, ending in a line break; without it no doc is printed and the
 *   type stands on one line.
 * @param indent Spaces before each further line.
 */
export function printType(type: StubType, note?: (doc: string, indent: string) => string, indent = ""): string {
  const inner = (part: StubType): string => printType(part, note, indent);
  switch (type.kind) {
    case "text":
      return type.text;
    case "alias":
      return type.name;
    case "array":
      return `${grouped(type.item, inner)}[]`;
    case "tuple": {
      const items = type.items.map((item, at) => (at < type.least ? inner(item) : `${grouped(item, inner)}?`));
      if (type.rest !== undefined) items.push(`...${grouped(type.rest, inner)}[]`);
      return `[${items.join(", ")}]`;
    }
    case "object":
      return note !== undefined && hasDoc(type) ? printLines(type, note, indent) : printLine(type, inner);
    case "union":
      return type.parts.map((part) => (part.kind === "intersection" ? grouped(part, inner) : inner(part))).join(" | ");
    case "intersection":
      return type.parts.map((part) => grouped(part, inner)).join(" & ");
  }
}

type ObjectType = Extract<StubType, { kind: "object" }>;

function printLine({ fields, index }: ObjectType, inner: (part: StubType) => string): string {
  const lines = fields.map(({ name, type, optional }) => `${propertyName(name)}${optional ? "?" : ""}: ${inner(type)}`);
  if (index !== undefined) lines.push(`[key: string]: ${inner(index)}`);
  return lines.length === 0 ? "{}" : `{ ${lines.join("; ")} }`;
}

function printLines({ fields, index }: ObjectType, note: NonNullable<Parameters<typeof printType>[1]>, indent: string) {
  const deeper = `${indent}  `;
  const lines = fields.map(({ name, type, optional, doc }) => {
    const field = `${propertyName(name)}${optional ? "?" : ""}: ${printType(type, note, deeper)};\n`;
    return `${note(doc, deeper)}${deeper}${field}`;
  });
  if (index !== undefined) lines.push(`${deeper}[key: string]: ${printType(index, note, deeper)};\n`);
  return `{\n${lines.join("")}${indent}}`;
}

function hasDoc(type: StubType): boolean {
  switch (type.kind) {
    case "array":
      return hasDoc(type.item);
    case "tuple":
      return type.items.some(hasDoc) || (type.rest !== undefined && hasDoc(type.rest));
    case "object":
      return (
        type.fields.some((field) => field.doc !== "" || hasDoc(field.type)) ||
        (type.index !== undefined && hasDoc(type.index))
      );
    case "union":
    case "intersection":
      return type.parts.some(hasDoc);
    case "text":
    case "alias":
      return false;
  }
}

function grouped(type: StubType, print: (part: StubType) => string): string {
  return type.kind === "union" || type.kind === "intersection" ? `(${print(type)})` : print(type);
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** As source code, in which nothing ends a line, is invisible, or changes the direction of the following text. */
function quote(value: string): string {
  return replaceInvisible(JSON.stringify(value), toEscape);
}
