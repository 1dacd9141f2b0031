import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { parseJson } from "../json/parse-json.ts";
import { opennessOf, propertiesOf } from "../schema/schema-node.ts";
import { rootLocation } from "./instance-location.ts";
import type { Repair } from "./repair.ts";

/** The fields under which a model sends all parameters together. */
const WRAPPERS = new Set(["arguments", "args", "parameters", "params", "input", "tool_input", "kwargs"]);
/** The fields beside it that say which tool is called. */
const NAMES = new Set(["name", "tool", "tool_name", "function", "function_name", "recipient_name"]);

/** Parameters taken out of the object around them. */
export interface UnwrappedParams {
  /** The parameters. */
  readonly params: object;
  /** What was done. */
  readonly repair: Repair;
}

/**
 * Takes parameters out of an object that only stands around them: `{ arguments: { … } }`, or `{ name, arguments }` of the
 * same tool. `undefined` where the schema gives such a field a meaning, or where the outer object may be meant.
 */
export function unwrapParams(params: unknown, toolName: string, schema: JsonSchema): UnwrappedParams | undefined {
  if (!isJsonObject(params)) return undefined;
  const { allowed } = rootLocation(params, schema);
  if (allowed.length === 0 || allowed.some((one) => opennessOf(one) === "open")) return undefined;
  const named = new Set(allowed.flatMap((one) => Object.keys(propertiesOf(one))));
  const keys = Object.keys(params);
  const [wrapper, ...others] = keys.filter((key) => WRAPPERS.has(key) && !named.has(key));
  if (wrapper === undefined || others.length > 0) return undefined;
  // A field `name` that the schema knows still says which tool is called when it holds nothing but its name.
  if (keys.some((key) => key !== wrapper && !(NAMES.has(key) && params[key] === toolName))) return undefined;
  const inner = objectIn(params[wrapper]);
  if (inner === undefined) return undefined;
  // Where nothing in it is known, the outer object is as likely to be meant.
  const folded = new Set([...named].map(plain));
  const innerKeys = Object.keys(inner);
  if (innerKeys.length > 0 && !innerKeys.some((key) => folded.has(plain(key)))) return undefined;
  const message = `the parameters were taken out of ${JSON.stringify(wrapper)}`;
  return { params: inner, repair: { path: [], kind: "unwrapped", message } };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}

function objectIn(value: unknown): object | undefined {
  if (isJsonObject(value)) return value;
  if (typeof value !== "string" || !/^\s*\{/.test(value)) return undefined;
  try {
    const parsed = parseJson(value);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
