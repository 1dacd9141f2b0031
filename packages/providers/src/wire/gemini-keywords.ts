import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject, resolvePointer } from "@dispatch/tools-interface/internal";
import { at } from "./format-report.ts";

/** A fault of a schema: where it is, as a JSON Pointer after `#`, and how to mend it. */
export type Fault = readonly [path: string, what: string, advice: string];

/** As the types of `@google/genai` 3.1 list them for JSON Schema. Keywords that begin with `$` are taken besides. */
const SUPPORTED: ReadonlySet<string> = new Set(
  [
    "type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf",
    "properties additionalProperties required propertyOrdering",
  ].flatMap((line) => line.split(" ")),
);
/** Say nothing of which values a field takes. */
const REMARKS: ReadonlySet<string> = new Set([
  "default",
  "deprecated",
  "examples",
  "readOnly",
  "writeOnly",
  "definitions",
]);
/** Subschemas that are looked at, and how deep, for schemas that refer to themselves in many ways. */
const MAX_VISITS = 10_000;
const MAX_DEPTH = 100;

/** Finds parts of a schema that Google documents as unsupported. None of them stops the schema from being sent. */
export function findForGemini(root: JsonSchema): readonly Fault[] {
  const findings = new Map<string, Fault>();
  const note = (path: string, what: string, advice: string): void => {
    if (!findings.has(`${path} ${what}`)) findings.set(`${path} ${what}`, [path, what, advice]);
  };
  const followed = new Set<string>();
  let visits = 0;
  visit(root, "#", [], 0);
  return [...findings.values()];

  /** @param chain - The references that lead here through nothing that may be left out. */
  function visit(schema: unknown, path: string, chain: readonly string[], depth: number): void {
    if (!isJsonObject(schema) || depth > MAX_DEPTH || (visits += 1) > MAX_VISITS) return;
    checkKeywords(schema, path);
    const { $ref: ref, properties, required } = schema;
    if (typeof ref === "string") {
      if (chain.includes(ref)) note(path, "it must hold itself", "Let the field that holds it be left out");
      else follow(ref, [...chain, ref], depth + 1);
    }
    for (const [key, field] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const isRequired = Array.isArray(required) && required.includes(key);
      visit(field, at(path, "properties", key), isRequired ? chain : [], depth + 1);
    }
    for (const keyword of ["items", "additionalProperties"])
      visit(schema[keyword], at(path, keyword), chain, depth + 1);
    for (const keyword of ["anyOf", "oneOf", "prefixItems"]) {
      const branches = schema[keyword];
      for (const [index, branch] of Array.isArray(branches) ? branches.entries() : [])
        visit(branch, at(path, keyword, String(index)), chain, depth + 1);
    }
  }

  function follow(ref: string, chain: readonly string[], depth: number): void {
    const way = JSON.stringify(chain);
    if (followed.has(way)) return;
    followed.add(way);
    visit(resolvePointer(root, ref), ref, chain, depth);
  }

  function checkKeywords(schema: JsonSchema, path: string): void {
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword.startsWith("$") || REMARKS.has(keyword)) continue;
      if (typeof schema["$ref"] === "string") {
        note(path, `${keyword} stands beside $ref`, "Say it in the schema that $ref names");
      } else if (keyword === "const" && isShown(value)) {
        note(path, "const is not among the keywords that Google documents", "Say enum with this one value");
      } else if (!SUPPORTED.has(keyword)) {
        note(path, `${keyword} is not among the keywords that Google documents`, "Say it in the description as well");
      } else if (keyword === "enum" && !(Array.isArray(value) && value.every(isShown))) {
        note(path, "enum holds more than strings and numbers", "Say it in the description as well");
      }
    }
  }
}

function isShown(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}
