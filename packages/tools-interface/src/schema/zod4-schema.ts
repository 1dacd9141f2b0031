import { InvalidToolError } from "../error/tool-error.ts";
import { isZod3 } from "./zod3-schema.ts";
import { zod4Converter } from "./zod4-converter.ts";

/** The parts read of a Zod 4 schema, `zod/mini` included. */
export interface Zod4Schema {
  /** The part of a schema that all of Zod 4 shares. */
  readonly _zod: {
    /** How the schema was made. */
    readonly def: { readonly [key: string]: unknown };
    /** Version of Zod's core that made it: 4.0.0 for `zod/v4` inside zod 3.25. Absent in the first releases. */
    readonly version?: { readonly major: number; readonly minor: number; readonly patch: number };
  };
  /** The description and the like. `zod/mini` has no such method. */
  readonly meta?: () => object | undefined;
}

/** True for a schema made by any copy of Zod 4. */
export function isZod4(value: unknown): value is Zod4Schema {
  if (typeof value !== "object" || value === null || !("_zod" in value)) return false;
  const { _zod: core } = value;
  return (
    typeof core === "object" && core !== null && "def" in core && typeof core.def === "object" && core.def !== null
  );
}

/**
 * Converts a Zod 4 schema that has no converter of its own: `zod/mini`, Zod 4.0 and 4.1, and `zod/v4` inside zod 3.25.
 *
 * Descriptions are asked of the schemas themselves, since copies of zod before 4.1 each keep their own.
 */
export function zod4JsonSchema(
  schema: Zod4Schema,
  role: string,
  side: "input" | "output",
  options: object | undefined,
): unknown {
  const { major = 4, minor = 0, patch = 0 } = schema._zod.version ?? {};
  const core = zod4Converter({ major, minor, patch }, role);
  if (minor === 0 && typeof schema.meta !== "function") {
    throw new InvalidToolError(
      `Cannot use the ${role}: found a schema of zod/mini ${major}.${minor}.${patch}, whose descriptions cannot be read, allowed are 4.2 and later`,
    );
  }
  const metadata = {
    get: (one: Zod4Schema) => (typeof one.meta === "function" ? one.meta() : core.globalRegistry.get(one as never)),
    has: () => false,
  };
  return core.toJSONSchema(schema as never, { io: side, metadata: metadata as never, ...options });
}

/** Objects and lists nested deeper than this are not looked into. */
const MAX_DEPTH = 20;

/** Where in a Zod 4 schema the part stands that cannot be converted, and whether it is one of Zod 3. */
export interface FailingPart {
  /** The field, as in `edits[].when`; empty for the schema itself. */
  readonly field: string;
  /** Whether the part is a schema of Zod 3. */
  readonly isZod3: boolean;
  /** Why its conversion failed. */
  readonly cause: unknown;
}

/** Finds the part of a schema because of which its conversion failed. */
export function failingPart(
  schema: unknown,
  convert: (schema: unknown) => unknown,
  cause: unknown,
  field = "",
  depth = 0,
): FailingPart {
  if (isZod4(schema) && depth < MAX_DEPTH) {
    for (const [key, part] of partsOf(schema._zod.def)) {
      try {
        convert(part);
      } catch (inner) {
        const dot = field === "" || key === "" || key === "[]" ? "" : ".";
        return failingPart(part, convert, inner, field + dot + key, depth + 1);
      }
    }
  }
  return { field, isZod3: isZod3(schema), cause };
}

type Parts = readonly (readonly [key: string, part: unknown])[];

function partsOf({ shape, element, innerType, in: input }: Zod4Schema["_zod"]["def"]): Parts {
  if (typeof shape === "object" && shape !== null) return Object.entries(shape);
  if (element !== undefined) return [["[]", element]];
  const inner = innerType ?? input;
  return inner === undefined ? [] : [["", inner]];
}
