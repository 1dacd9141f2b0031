import type { FoundIssues } from "../error/issue.ts";
import type { JsonSchema } from "../json/json.ts";
import type { SchemaChange } from "./older-drafts.ts";

/** The result of checking a value. */
export type Checked = { readonly value: unknown; readonly issues?: undefined } | FoundIssues;

/** A schema as its source prepares it. */
export interface SourceSchema {
  /** The same as JSON Schema, frozen. */
  readonly jsonSchema: JsonSchema;
  /** Checks a value. May throw or reject when the schema's own code does. */
  readonly validate: (value: unknown) => Checked | Promise<Checked>;
  /**
   * Whether fields of an accepted value that `jsonSchema` does not name may have been read all the same: a schema that
   * begins with a function may take any names. Default false.
   */
  readonly readsUnknownFields?: boolean | undefined;
  /** Keywords that were read by an older meaning. Default none. */
  readonly changes?: readonly SchemaChange[];
}

/** A schema of any source, ready to use. */
export interface CompiledSchema extends SourceSchema {
  /** Whether a value has only fields that `jsonSchema` names or allows on purpose. Never throws. */
  readonly namesFields: (value: unknown) => boolean;
}
