import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { alternatives, isRequired, kindsOf, propertiesOf, valuesOf } from "../schema/schema-node.ts";

/** No examples for schemas nested deeper. */
const MAX_DEPTH = 8;
/** Places that are filled: a schema that refers to itself has too many. */
const MAX_PLACES = 300;
/** No examples with longer arrays and strings: a model learns nothing from them. */
const MAX_SIZE = 40;

const OF_FORMAT: { readonly [format: string]: string } = {
  "date-time": "2030-01-31T12:00:00Z",
  date: "2030-01-31",
  time: "12:00:00",
  duration: "P1D",
  email: "name@example.com",
  hostname: "example.com",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};

/**
 * A small example of a schema: its required fields, with given examples, defaults, first choices and lower bounds. It may
 * break a rule that this does not read, such as a pattern, so the caller must check it. `undefined` where none can be made.
 */
export function exampleOf(schema: JsonSchema): unknown {
  let places = 0;
  const valueOf = (node: unknown, depth: number): unknown => {
    places += 1;
    if (depth > MAX_DEPTH || places > MAX_PLACES || node === false) return undefined;
    const [one] = alternatives(isJsonObject(node) ? node : {}, schema);
    if (one === undefined) return undefined;
    const { examples, default: usual } = one;
    const [given] = valuesOf(one) ?? (Array.isArray(examples) ? (examples as readonly unknown[]) : [usual]);
    if (given !== undefined) return given;
    switch (kindsOf(one)?.[0] ?? (isJsonObject(one["properties"]) ? "object" : "string")) {
      case "string":
        return textOf(one);
      case "integer":
      case "number":
        return numberOf(one);
      case "boolean":
        return true;
      case "array":
        return arrayOf(one, depth);
      case "object":
        return objectOf(one, depth);
      default:
        return null;
    }
  };
  const arrayOf = ({ items, prefixItems, minItems }: JsonSchema, depth: number): unknown => {
    const tuple: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    const length = Math.max(Number(minItems ?? 0), tuple.length);
    if (length > MAX_SIZE) return undefined;
    const made = Array.from({ length }, (_, at) => valueOf(tuple[at] ?? items, depth + 1));
    return made.includes(undefined) ? undefined : made;
  };
  const objectOf = (one: JsonSchema, depth: number): unknown => {
    const properties = propertiesOf(one);
    const { additionalProperties, required } = one;
    const named = Object.keys(properties).filter((name) => isRequired(one, name));
    const others = Array.isArray(required) ? required.map(String) : [];
    const fields = [...new Set([...named, ...others])].map((name) => {
      const node = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      return [name, valueOf(node, depth + 1)] as const;
    });
    return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields);
  };
  return valueOf(schema, 0);
}

function textOf({ format, minLength = 0, maxLength = MAX_SIZE }: JsonSchema): string | undefined {
  if (typeof format === "string" && Object.hasOwn(OF_FORMAT, format)) return OF_FORMAT[format];
  return Number(minLength) > MAX_SIZE ? undefined : "text".padEnd(Number(minLength), "-").slice(0, Number(maxLength));
}

function numberOf({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf, type }: JsonSchema): number {
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : 1;
  if (typeof minimum === "number") return Math.ceil(minimum / step) * step;
  const above = typeof exclusiveMinimum === "number" ? exclusiveMinimum + (type === "integer" ? step : step / 2) : step;
  const below = typeof exclusiveMaximum === "number" ? exclusiveMaximum - step : step;
  if (typeof exclusiveMinimum === "number") return multipleOf === undefined ? above : Math.ceil(above / step) * step;
  return Math.floor(Math.min(typeof maximum === "number" ? maximum : below, step) / step) * step;
}
