import type { JsonSchema } from "../../json/json.ts";
import { arrayKeywords } from "./array-keywords.ts";
import { accept, all, refuse, type Check, type CheckOf } from "./check.ts";
import { unevaluatedKeywords, type Whole } from "./evaluated.ts";
import { inPlaceKeywords } from "./in-place-keywords.ts";
import { objectKeywords } from "./object-keywords.ts";
import { SharedChecks } from "./shared-checks.ts";
import { numberKeywords, textKeywords, valueKeywords } from "./value-keywords.ts";

/** A schema document, checked by `checkRawJsonSchema`. */
export interface SchemaDocument {
  /** The schema that a node's `$ref` or `$recursiveRef` leads to. */
  readonly target: (node: JsonSchema) => unknown;
  /** Whether it is of draft 2020-12, not an earlier one. */
  readonly isLatest: boolean;
  /** Whether a text is in a format. Every text is in one that nobody knows. */
  readonly isFormat: (format: string, text: string) => boolean;
}

/**
 * Makes a check of a JSON Schema out of functions, once, so that nothing of it is read again for a value. No code is
 * generated, which many hosts forbid.
 */
export function compileChecks(schema: JsonSchema, document: SchemaDocument): Check {
  const { target, isLatest, isFormat } = document;
  const made = new Map<unknown, Check>();
  const shared = new SharedChecks();
  const referred = (to: unknown): Check => shared.of(to, checkOf(to));
  const checkOf: CheckOf = (node) => {
    if (typeof node === "boolean") return node ? accept : refuse;
    const known = made.get(node);
    if (known !== undefined) return known;
    let own: Check = accept;
    // A schema that refers to itself finds this one while its own is being made.
    made.set(node, (value, faults) => own(value, faults));
    own = make(node as JsonSchema);
    made.set(node, own);
    return own;
  };
  const whole: Whole = { checkOf, target, countsContained: isLatest };
  const make = (node: JsonSchema): Check =>
    all([
      ...valueKeywords(node),
      ...textKeywords(node, isFormat),
      ...numberKeywords(node),
      ...arrayKeywords(node, checkOf),
      ...objectKeywords(node, checkOf),
      ...(node["$ref"] === undefined && node["$recursiveRef"] === undefined ? [] : [referred(target(node))]),
      ...inPlaceKeywords(node, checkOf),
      ...unevaluatedKeywords(node, whole),
    ]);
  return shared.whole(checkOf(schema));
}
