import type { Issue } from "../error/issue.ts";
import type { JsonSchema } from "../json/json.ts";

/** What checking a value answers. */
export type Checked = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/** A schema of any source, ready to use. */
export interface CompiledSchema {
  /** The same as JSON Schema, frozen. */
  readonly jsonSchema: JsonSchema;
  /** Checks a value. May throw or reject when the schema's own code does. */
  readonly validate: (value: unknown) => Checked | Promise<Checked>;
}
