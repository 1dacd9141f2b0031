import type { Issue } from "../error/issue.ts";

/**
 * The kinds of changes to a call before it runs:
 *
 * - `json_text`: the arguments were text that is almost JSON, such as JSON in a code fence or with a trailing comma
 * - `decoded`: an object or array had been sent as JSON text
 * - `null_dropped`: `null` stood for an optional field that is to be left out
 * - `to_number`, `to_boolean`: a number or boolean had been sent as text
 * - `to_array`: a single item had been sent for an array
 * - `enum_matched`: a listed text had been sent in another case, or with other white space, `_` or `-`
 * - `key_renamed`: a field had been sent under its name in another case, or a required one under a near name that means
 *   it alone
 * - `translated`: the tool's own `translate` read a call in the shape of another tool
 * - `unwrapped`: the parameters had been sent inside another object, such as `{ arguments: { … } }`
 * - `to_string`: an integer that a number cannot hold, such as a 64-bit id, had been sent where text is allowed
 * - `repeat_dropped`: a field had been sent more than once, each time with the same value
 * - `edited`: the person who approved the call changed it first
 */
export type RepairKind =
  | "json_text"
  | "decoded"
  | "null_dropped"
  | "to_number"
  | "to_boolean"
  | "to_array"
  | "enum_matched"
  | "key_renamed"
  | "translated"
  | "unwrapped"
  | "to_string"
  | "repeat_dropped"
  | "edited";

/** One change made to a model's call, so that the tool could run. */
export interface Repair {
  /** Keys and indices from the root of the parameters to the changed place; empty for the parameters as a whole. */
  readonly path: Issue["path"];
  /** The kind of change. */
  readonly kind: RepairKind;
  /** The same for a person, without a final full stop. Secrets in it are masked. */
  readonly message: string;
}

/**
 * Whether damaged calls of a tool are repaired:
 *
 * - `safe`: where there is only one way to
 * - `lenient`: also by leaving out fields that the schema forbids; `ignored` in the result lists them
 * - `off`: never, and no field that was sent is left out: a call with one that the tool would not be given is refused
 */
export type RepairPolicy = "safe" | "lenient" | "off";
