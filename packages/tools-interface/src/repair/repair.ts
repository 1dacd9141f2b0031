import type { Issue } from "../error/issue.ts";

/**
 * What can be done to a damaged call:
 *
 * - `json_text`: the arguments were text that is almost JSON, such as JSON in a code fence or with a trailing comma
 * - `decoded`: an object or array had been sent as JSON text
 * - `null_dropped`: `null` stood for an optional field that is to be left out
 * - `to_number`, `to_boolean`: a number or boolean had been sent as text
 * - `to_array`: a single item had been sent for an array
 * - `key_renamed`: a required field had been sent under its name in another case
 */
export type RepairKind =
  | "json_text"
  | "decoded"
  | "null_dropped"
  | "to_number"
  | "to_boolean"
  | "to_array"
  | "key_renamed";

/** One change made to what a model sent, so that the tool could be called with it. */
export interface Repair {
  /** Keys and indices from the root of the parameters to what was changed; empty for the parameters as a whole. */
  readonly path: Issue["path"];
  /** What was done. */
  readonly kind: RepairKind;
  /** The same for a person, without a final full stop. Secrets in it are masked. */
  readonly message: string;
}

/** Whether damaged calls of a tool are repaired: `safe` where there is only one way to, `off` never. */
export type RepairPolicy = "safe" | "off";
