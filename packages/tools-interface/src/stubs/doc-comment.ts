import { replaceInvisible } from "../display/invisible.ts";
import { isJsonObject } from "../json/json.ts";

/** How long a summary gets, in characters. */
const MAX_SUMMARY = 100;
/** How much of a text its summary is looked for in, in characters. */
const MAX_READ = 4_000;
/** How long the value of one keyword gets, in characters. */
const MAX_VALUE = 60;

/** Keywords that constrain a value beyond its TypeScript type. */
const NOTED = [
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "contentEncoding",
  "deprecated",
  "default",
];

/** The documentation of a value: its description, and the constraints beyond its type, as `(integer, minimum 1)`. */
export function docOf(schema: unknown): string {
  if (!isJsonObject(schema)) return "";
  const only = onlyBranch(schema);
  const described = [schema["description"], only?.["description"]].find((text) => typeof text === "string");
  const notes = [...notesOf(schema), ...(only ? notesOf(only) : [])];
  if (isJsonObject(schema["items"])) notes.push(...notesOf(schema["items"]).map((note) => `items: ${note}`));
  const description = typeof described === "string" ? described.trim() : "";
  if (notes.length === 0) return description;
  return description === "" ? notes.join(", ") : `${description} (${notes.join(", ")})`;
}

/** The branch of a union that has no other but `null`. */
function onlyBranch(schema: { readonly [key: string]: unknown }) {
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(branches)) return undefined;
  const others = branches.filter((branch) => !isJsonObject(branch) || branch["type"] !== "null");
  return others.length === 1 && isJsonObject(others[0]) ? others[0] : undefined;
}

function notesOf(schema: { readonly [key: string]: unknown }): string[] {
  const notes = NOTED.filter((keyword) => Object.hasOwn(schema, keyword) && schema[keyword] !== false).map(
    (keyword) => `${keyword}${shown(schema[keyword], keyword === "format")}`,
  );
  return schema["type"] === "integer" ? ["integer", ...notes] : notes;
}

function shown(value: unknown, isWord: boolean): string {
  if (value === true) return "";
  return ` ${cut(isWord ? String(value) : (JSON.stringify(value) ?? ""), MAX_VALUE)}`;
}

/** The first sentence of a text, on one line. */
export function summary(text: string): string {
  const line = lines(text.slice(0, MAX_READ))[0]?.trim() ?? "";
  return cut(/^.*?[.!?](?=\s+[\p{Lu}\p{N}])/u.exec(line)?.[0] ?? line, MAX_SUMMARY);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}

/**
 * A doc comment, line break included, safe for any text; nothing for a text without words. No text can end the comment,
 * start a tag such as `@deprecated` or `@ts-expect-error`, or change how the source reads.
 */
export function docComment(text: string, indent = ""): string {
  const safe = lines(text).map((line) => line.replace(/^(\s*)([*/\s]*)@/, "$1$2\\@").replaceAll("*/", "*\\/"));
  if (safe.length === 0) return "";
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

/** A comment of one line, line break included. */
export function lineComment(text: string): string {
  return `// ${lines(text).join(" ").replaceAll(/\s+/g, " ").trim()}\n`;
}

/** The lines of a text, without invisible characters and without more than one empty line in a row. */
function lines(text: string): readonly string[] {
  const broken = text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replaceAll("\t", "  ");
  const plain = replaceInvisible(broken, (found) => (/\p{Cc}/u.test(found) ? " " : ""))
    .replaceAll(/[^\S\n]+$/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return plain === "" ? [] : plain.split("\n");
}
