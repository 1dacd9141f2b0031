import type { JsonSchema } from "../json/json.ts";
import { opennessOf, propertiesOf } from "../schema/schema-node.ts";
import { readDamagedJson, type ReadObject, type UnclosedValue } from "./damaged-json.ts";
import { likelyAlternatives, locationAt, rootLocation } from "./instance-location.ts";

/**
 * Reads parameters out of a text that is almost JSON, as `readDamagedJson` does. A text that ends before its brackets
 * are closed is taken for whole only where nothing more could have come: each object that it ends within has all the
 * fields that its schema names. Of an array nobody knows whether more items were to come.
 */
export function readDamagedParams(text: string, schema: JsonSchema): ReadObject {
  const names = rootLocation({}, schema).allowed.flatMap((one) => Object.keys(propertiesOf(one)));
  const read = readDamagedJson(text, names);
  if (read.reason !== undefined || read.unclosed === undefined) return read;
  const { value } = read;
  const isWhole = read.unclosed.every((unclosed) => hasAllFields(value, unclosed, schema));
  return isWhole ? read : { reason: "it ends before the object does, and more may have followed: it was cut off" };
}

function hasAllFields(value: object, { path, fields }: UnclosedValue, schema: JsonSchema): boolean {
  if (fields === undefined) return false;
  const location = locationAt(rootLocation(value, schema), path, schema);
  const allowed = likelyAlternatives(location);
  if (allowed.length === 0) return false;
  const sent = new Set(fields);
  return allowed.every((one) => {
    const openness = opennessOf(one);
    if (openness === "open" || openness === "free") return false;
    return Object.keys(propertiesOf(one)).every((name) => sent.has(name));
  });
}
