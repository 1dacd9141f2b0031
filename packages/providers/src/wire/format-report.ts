import { pointerTo } from "@dispatch/tools-interface/internal";

/** The change to one place of a schema on its way to a provider. */
export type FormatChangeKind =
  /** The provider does not receive it in any form. */
  | "dropped"
  /** The provider may send more than the tool takes; the tool's own validation still decides. */
  | "widened"
  /** The provider may send less than the tool takes. */
  | "narrowed"
  /** The provider does not enforce it, but the model reads it in the description. */
  | "described"
  /** The provider knows it by another name; decoding puts the name back. */
  | "renamed";

/** One place of a schema that goes out differently from how the tool says it. */
export interface FormatChange {
  /** Where in the tool's schema, as a JSON Pointer after `#`, for example `#/properties/limit`. */
  readonly path: string;
  /** The keyword concerned, for example `minimum`. */
  readonly keyword: string;
  /** The kind of change. */
  readonly kind: FormatChangeKind;
  /** The same in words, for a person. */
  readonly message: string;
}

/** How one tool goes out. */
export interface ToolReport {
  /** The tool's name. */
  readonly name: string;
  /** The name the provider knows it by. The same unless the provider refuses the tool's own. */
  readonly wireName: string;
  /** Whether the provider is asked to enforce the schema. */
  readonly strict: boolean;
  /** Why it is not, although that was asked for. `undefined` when it is, or when it was not asked for. */
  readonly notStrict: string | undefined;
  /** The changes, in the order of the schema; empty if none. */
  readonly changes: readonly FormatChange[];
}

/** Notes one change. */
export type NoteChange = (path: string, keyword: string, kind: FormatChangeKind, message: string) => void;

/** Collects the changes of one schema. */
export function collectChanges(): { readonly changes: FormatChange[]; readonly note: NoteChange } {
  const changes: FormatChange[] = [];
  return { changes, note: (path, keyword, kind, message) => void changes.push({ path, keyword, kind, message }) };
}

/** The path with further segments, as a JSON Pointer. */
export function at(path: string, ...keys: readonly (string | number)[]): string {
  return keys.reduce<string>((place, key) => pointerTo(place, key), path);
}

/** A schema that a provider's strict subset of JSON Schema cannot express. */
export class UnsupportedSchemaError extends Error {
  override readonly name = "UnsupportedSchemaError";

  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
  }
}
