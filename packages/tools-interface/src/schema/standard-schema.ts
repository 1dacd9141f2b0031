import { MAX_ISSUES } from "../error/issue.ts";
import { InvalidToolError } from "../error/tool-error.ts";
import type { Checked, SourceSchema } from "./compiled-schema.ts";
import { toIssue, type StandardIssue } from "./standard-issue.ts";
import { zod4Validate } from "./zod4-validate.ts";

/**
 * The parts of a schema library that this package calls: of Standard Schema and Standard JSON Schema.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema {
  /** The contract of Standard Schema. */
  readonly "~standard": {
    /** Version of the contract. */
    readonly version: number;
    /** Name of the library. */
    readonly vendor: string;
    /** Types of inputs and outputs; never there at run time. */
    readonly types?: unknown;
    /** Checks a value. */
    readonly validate: (value: unknown) => unknown;
    /** Converts the schema to JSON Schema. */
    readonly jsonSchema?: unknown;
  };
}

/** True for an object or function that carries the Standard Schema contract. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return (typeof value === "object" || typeof value === "function") && value !== null && "~standard" in value;
}

type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/**
 * Checks values with a Standard Schema. Issues count even beside a value: Valibot can answer both.
 *
 * @throws {InvalidToolError} When the contract is of another version, or not kept.
 */
export function standardValidate(schema: StandardSchema, role: string): SourceSchema["validate"] {
  const standard: unknown = schema["~standard"];
  if (!isContract(standard)) {
    throw new InvalidToolError(
      `Cannot use the ${role}: its "~standard" is not as Standard Schema says, allowed is { version: 1, vendor, validate }`,
    );
  }
  const check = zod4Validate(schema, standard.validate) ?? ((value) => standard.validate(value));
  return (value) => {
    try {
      const result = check(value) as StandardResult | Promise<StandardResult>;
      return "then" in result ? result.then(toChecked).catch(beyondStack) : toChecked(result);
    } catch (thrown) {
      return beyondStack(thrown);
    }
  };
}

/**
 * A library that calls itself for each level, or passes on all issues as arguments, overflows the stack on values that
 * a model may well send.
 */
function beyondStack(thrown: unknown): Checked {
  if (!(thrown instanceof RangeError)) throw thrown;
  return { issues: [{ path: [], message: "cannot be checked, it is nested too deeply or wrong in too many places" }] };
}

function isContract(value: unknown): value is StandardSchema["~standard"] {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const { version, vendor, validate } = value as Partial<StandardSchema["~standard"]>;
  return version === 1 && typeof vendor === "string" && typeof validate === "function";
}

function toChecked(result: StandardResult): Checked {
  if (result.issues === undefined) return result;
  const { length } = result.issues;
  return { issues: result.issues.slice(0, MAX_ISSUES).map(toIssue), others: Math.max(0, length - MAX_ISSUES) };
}
