import { jsonOrReason } from "../json/json.ts";
import { isPlainObject } from "../schema/schema-source.ts";

/** A field that the call left out, with the value that the schema gave it. */
export interface DefaultedField {
  /** Where it is in the parameters. */
  readonly path: readonly (string | number)[];
  /** Its value; a text where JSON cannot hold it. */
  readonly value: unknown;
}

/**
 * The fields of validated parameters that were not sent. A schema may compute them, such as a time or a random name, so
 * validating the same call again can give others than those a person was shown. `isExact`: JSON holds all of them exactly, so
 * that they can be restored.
 */
export function resolvedDefaults(
  sent: unknown,
  params: unknown,
): { readonly fields: readonly DefaultedField[]; readonly isExact: boolean } {
  const fields: DefaultedField[] = [];
  let isExact = true;
  const visit = (from: unknown, to: unknown, path: readonly (string | number)[]): void => {
    if (Array.isArray(from) && Array.isArray(to)) {
      for (const [index, item] of to.entries()) visit(from[index], item, [...path, index]);
    } else if (isPlainObject(from) && isPlainObject(to)) {
      for (const [key, value] of Object.entries(to)) {
        if (value === undefined) continue;
        if (Object.hasOwn(from, key) && from[key] !== undefined) visit(from[key], value, [...path, key]);
        else {
          const held = jsonOrReason(value);
          isExact &&= isExactly(held, value);
          fields.push(Object.freeze({ path: Object.freeze([...path, key]), value: held }));
        }
      }
    }
  };
  visit(sent ?? {}, params, []);
  return { fields: Object.freeze(fields), isExact };
}

/** The parameters with other values for their defaulted fields, as a copy. `undefined` when the fields are not the same. */
export function withDefaults(
  params: unknown,
  current: readonly DefaultedField[],
  granted: readonly DefaultedField[],
): unknown {
  const keyOf = ({ path }: DefaultedField): string => JSON.stringify(path);
  const values = new Map(granted.map((field) => [keyOf(field), field.value]));
  if (values.size !== current.length || !current.every((field) => values.has(keyOf(field)))) return undefined;
  let resolved = params;
  for (const field of current) resolved = replaced(resolved, field.path, structuredClone(values.get(keyOf(field))));
  return resolved;
}

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], to: unknown): unknown {
  if (key === undefined) return to;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, to);
  return copy;
}

/** Whether JSON's copy of a value is the same, kind for kind: no text in place of a date, nothing left out. */
function isExactly(copy: unknown, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return Object.is(copy, value);
  if (typeof copy !== "object" || copy === null) return false;
  if (Object.getPrototypeOf(copy) !== Object.getPrototypeOf(value)) return false;
  const keys = Reflect.ownKeys(value);
  return (
    keys.length === Reflect.ownKeys(copy).length &&
    keys.every((key) => Object.hasOwn(copy, key) && isExactly(Reflect.get(copy, key), Reflect.get(value, key)))
  );
}
