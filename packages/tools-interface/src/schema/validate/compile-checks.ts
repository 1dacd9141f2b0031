import type { JsonSchema } from "../../json/json.ts";
import { accept, all, type Check, type CheckOf, fault, refuse } from "./check.ts";
import { unevaluatedKeywords, type Whole } from "./evaluated.ts";
import { objectKeywords } from "./object-keywords.ts";
import { SharedChecks } from "./shared-checks.ts";
import { arrayKeywords, numberKeywords, textKeywords, valueKeywords } from "./value-keywords.ts";

/** A schema document, checked by `checkRawJsonSchema`. */
export interface SchemaDocument {
  /** The schema that a node's `$ref` or `$recursiveRef` leads to. */
  readonly target: (node: JsonSchema) => unknown;
  /** Whether it is of draft 2020-12, not an earlier one. */
  readonly isLatest: boolean;
  /** Whether a text is in a format. Every text is in one that nobody knows. */
  readonly isFormat: (format: string, text: string) => boolean;
}

/** References to schemas that no keyword leads to: definitions, and the whole. */
const ONLY_REFERRED = /^#$|\/(?:\$defs|definitions)\/[^/]+$/;

/**
 * Makes a check of a JSON Schema out of functions, once, so that nothing of it is read again for a value. No code is
 * generated, which many hosts forbid.
 */
export function compileChecks(schema: JsonSchema, document: SchemaDocument): Check {
  const { target, isLatest, isFormat } = document;
  const made = new Map<unknown, Check>();
  const shared = new SharedChecks();
  // These keywords check the branches of a union once more.
  const looksTwice = JSON.stringify(schema).includes('"unevaluated');
  const referred = (node: JsonSchema): Check => {
    const to = target(node);
    return shared.of(to, checkOf(to), ONLY_REFERRED.test(String(node["$ref"])));
  };
  const checkOf: CheckOf = (node) => {
    if (typeof node === "boolean") return node ? accept : refuse;
    const known = made.get(node);
    if (known !== undefined) return known;
    let own: Check = accept;
    // A schema that refers to itself finds this one while its own is being made.
    made.set(node, (value, faults) => own(value, faults));
    own = make(node as JsonSchema);
    const check = looksTwice ? shared.of(node, own, false) : own;
    made.set(node, check);
    return check;
  };
  const whole: Whole = { checkOf, target, countsContained: isLatest };
  const make = (node: JsonSchema): Check =>
    all([
      ...valueKeywords(node),
      ...textKeywords(node, isFormat),
      ...numberKeywords(node),
      ...arrayKeywords(node, checkOf),
      ...objectKeywords(node, checkOf),
      ...(node["$ref"] === undefined && node["$recursiveRef"] === undefined ? [] : [referred(node)]),
      ...inPlaceKeywords(node, checkOf),
      ...unevaluatedKeywords(node, whole),
    ]);
  return shared.whole(checkOf(schema));
}

/** Checks the keywords whose schemas are of the same value. A union is one fault, however many its branches have. */
function inPlaceKeywords(node: JsonSchema, checkOf: CheckOf): Check[] {
  const { not, if: condition, then, else: otherwise } = node;
  const listed = (key: string): readonly Check[] => ((node[key] ?? []) as readonly unknown[]).map(checkOf);
  const checks: Check[] = [...listed("allOf")];
  const any = listed("anyOf");
  const exactlyOne = listed("oneOf");
  if (any.length > 0) {
    const message = `expected a value of one of ${any.length} kinds`;
    checks.push((value, faults) => any.some((check) => check(value)) || fault(faults, message));
  }
  if (exactlyOne.length > 0) {
    checks.push((value, faults) => {
      const count = exactlyOne.reduce((found, check) => found + (check(value) ? 1 : 0), 0);
      return (
        count === 1 || fault(faults, `expected a value of exactly one of ${exactlyOne.length} kinds, it is of ${count}`)
      );
    });
  }
  if (not !== undefined) {
    const check = checkOf(not);
    checks.push((value, faults) => !check(value) || fault(faults, `expected a value that does not fit "not"`));
  }
  if (condition !== undefined) {
    const [test, yes, no] = [condition, then, otherwise].map((one) => (one === undefined ? accept : checkOf(one)));
    checks.push((value, faults) => ((test as Check)(value) ? (yes as Check) : (no as Check))(value, faults));
  }
  return checks;
}
