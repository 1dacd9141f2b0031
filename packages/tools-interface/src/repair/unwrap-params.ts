import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { innerJsonCost, MAX_INNER_JSON_CHARS, parseJson } from "../json/parse-json.ts";
import { namesIn, opennessOf } from "../schema/schema-node.ts";
import { rootLocation } from "./instance-location.ts";
import type { Repair } from "./repair.ts";

/** The fields under which a model sends all parameters together. */
const WRAPPERS = ["arguments", "args", "parameters", "params", "input", "tool_input", "kwargs"];
/** The fields beside it that say which tool is called. */
const NAMES = new Set(["name", "tool", "tool_name", "function", "function_name", "recipient_name"]);
/** Values of the field `type` beside the arguments of a call. */
const KINDS = new Set<unknown>(["function", "function_call", "tool_call", "tool_use"]);
/** The fields beside it that say which call it is. */
const IDS = new Set(["id", "call_id", "tool_call_id", "tool_use_id"]);
/** Most objects around parameters that are taken off. */
const MAX_WRAPPERS = 4;

/**
 * Takes parameters out of objects that only stand around them: `{ arguments: { … } }`, `{ name, arguments }` or `{ type,
 * function: { name, arguments } }` of the same tool, `{ TOOL: { … } }`, or one of these in another. `undefined` where the
 * schema gives such a field a meaning, or where the outer object may be meant.
 */
export function unwrapParams(
  params: unknown,
  toolName: string,
  schema: JsonSchema,
): { readonly params: object; readonly repair: Repair } | undefined {
  // First, because the parameters of most invalid calls have no such field.
  const isThere = (key: string): boolean => Object.hasOwn(params as object, key);
  if (!isJsonObject(params) || ![...WRAPPERS, toolName, "function"].some(isThere)) return undefined;
  const { allowed } = rootLocation(params, schema);
  const isOpen = allowed.some((one) => opennessOf(one) === "open" || opennessOf(one) === "free");
  if (allowed.length === 0 || isOpen) return undefined;
  const named = namesIn(allowed);
  const wrappers: string[] = [];
  let inner: JsonSchema = params;
  for (let next = wrapperOf(inner, toolName, named); next; next = wrapperOf(inner, toolName, named)) {
    wrappers.push(next.key);
    inner = next.inner;
    if (wrappers.length > MAX_WRAPPERS) return undefined;
  }
  if (wrappers.length === 0) return undefined;
  // Where nothing in it is known, the outer object is as likely to be meant.
  const folded = new Set([...named].map(plain));
  const innerKeys = Object.keys(inner);
  if (innerKeys.length > 0 && !innerKeys.some((key) => folded.has(plain(key)))) return undefined;
  const message = `the parameters were taken out of ${wrappers.map((key) => JSON.stringify(key)).join(" and ")}`;
  return { params: inner, repair: { path: [], kind: "unwrapped", message } };
}

/**
 * Whether a field that the schema does not name holds parameters of the tool, beside others: then it is open which of both are
 * meant, and nothing may be repaired.
 */
export function holdsParams(params: unknown, schema: JsonSchema): boolean {
  if (!isJsonObject(params)) return false;
  const wrappers = WRAPPERS.filter((key) => Object.hasOwn(params, key));
  if (wrappers.length === 0) return false;
  const named = namesIn(rootLocation(params, schema).allowed);
  return wrappers.some((key) => {
    const inner = named.has(key) ? undefined : objectIn(params[key]);
    return inner !== undefined && Object.keys(inner).some((field) => named.has(field));
  });
}

/** The one field of an object that holds parameters, when all others only say which tool is called. */
function wrapperOf(
  value: JsonSchema,
  toolName: string,
  named: ReadonlySet<string>,
): { readonly key: string; readonly inner: JsonSchema } | undefined {
  // A field `name` that the schema knows still says which tool is called when it holds nothing but its name.
  const [key, ...others] = Object.keys(value).filter(
    (other) =>
      !(NAMES.has(other) && value[other] === toolName) &&
      !(other === "type" && !named.has(other) && KINDS.has(value[other])) &&
      !(IDS.has(other) && !named.has(other) && typeof value[other] === "string"),
  );
  if (key === undefined || others.length > 0 || named.has(key)) return undefined;
  const inner = [...WRAPPERS, toolName, "function"].includes(key) ? objectIn(value[key]) : undefined;
  return inner && { key, inner };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}

function objectIn(value: unknown): JsonSchema | undefined {
  if (isJsonObject(value)) return value;
  if (typeof value !== "string" || !/^\s*\{/.test(value) || innerJsonCost(value) > MAX_INNER_JSON_CHARS)
    return undefined;
  try {
    const parsed = parseJson(value);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
