import { isJsonObject, LossyJsonError, parseJson } from "@dispatch/tools-interface/internal";
import { isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/server";

/** A message, or why it is none and the answer to it. */
type Read = { readonly message: JSONRPCMessage } | { readonly why: string; readonly answer: object | undefined };

/** Codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;

/**
 * Reads a line of a client; `undefined`: it is empty. Members that JSON-RPC does not know are left out.
 *
 * @param line - `undefined`: its bytes are no text.
 */
export function readMessage(line: string | undefined): Read | undefined {
  if (line === undefined) {
    const why = "it is no UTF-8";
    return { why, answer: unreadable(why, undefined, PARSE_ERROR) };
  }
  if (/^\s*$/.test(line)) return undefined;
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    const changed = changedMessage(line, error);
    if (changed !== undefined) return changed;
    const why = "it is no JSON";
    return { why, answer: unreadable(why, undefined, PARSE_ERROR) };
  }
  if (!isJsonObject(value)) {
    const why = Array.isArray(value) ? "it is a batch, send its messages one by one" : "it is no object";
    return { why, answer: unreadable(why) };
  }
  const { id, method, params } = value;
  if (method === undefined && ("result" in value || "error" in value)) return readAnswer(value);
  const why = faultOf(value);
  // A notification is not answered.
  const isRequest = "id" in value || typeof method !== "string";
  if (why !== undefined) return { why, answer: isRequest ? unreadable(why, idOf(id)) : undefined };
  const message = { jsonrpc: "2.0", ...("id" in value && { id }), method, ...(params !== undefined && { params }) };
  const { _meta } = isJsonObject(params) ? params : {};
  // Only its own fields can be wrong by now.
  if (_meta !== undefined && !isJSONRPCRequest({ ...message, id: 0 })) {
    const wrong = "its _meta does not fit the protocol";
    return { why: wrong, answer: isRequest ? unreadable(wrong, idOf(id)) : undefined };
  }
  return { message: message as JSONRPCMessage };
}

/**
 * What is read instead of a message whose value would not be what it says: a request is refused, an answer is a failure of
 * its request, so that nobody waits for it. `undefined` for another error of `parseJson`.
 */
export function changedMessage(text: string, error: unknown): Read | undefined {
  if (!(error instanceof LossyJsonError)) return undefined;
  const why = `it would not arrive as it was sent, ${error.message}`;
  const value: unknown = JSON.parse(text);
  const { id, method } = isJsonObject(value) ? value : {};
  const known = error.losses.some(({ path }) => path[0] === "id") ? undefined : idOf(id);
  if (method !== undefined)
    return { why, answer: id === undefined ? undefined : unreadable(why, known, INVALID_PARAMS) };
  return known === undefined
    ? { why, answer: undefined }
    : { message: { jsonrpc: "2.0", id: known, error: { code: INVALID_PARAMS, message: why } } };
}

/** The answer to a message that cannot be read. */
export function unreadable(why: string, id?: string | number, code = INVALID_REQUEST): object {
  return { jsonrpc: "2.0", id: id ?? null, error: { code, message: `Cannot read the request: ${why}` } };
}

/** An answer is never answered: two sides that do would never end. */
function readAnswer(value: Readonly<Record<string, unknown>>): Read {
  const id = idOf(value["id"]);
  const { result, error } = value;
  if (id === undefined) return { why: "it answers no request", answer: undefined };
  if (isJsonObject(result)) return { message: { jsonrpc: "2.0", id, result } };
  if (!isJsonObject(error)) return { why: "it is an answer without a result", answer: undefined };
  const { code, message, data } = error;
  const known = {
    code: Number.isSafeInteger(code) ? (code as number) : INVALID_REQUEST,
    message: typeof message === "string" ? message : "",
    ...(data !== undefined && { data }),
  };
  return { message: { jsonrpc: "2.0", id, error: known } };
}

function faultOf(value: Readonly<Record<string, unknown>>): string | undefined {
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc !== "2.0") return 'its jsonrpc is not "2.0"';
  if (typeof method !== "string") return "its method is no text";
  if ("id" in value && idOf(id) === undefined) return "its id is neither a text nor a whole number";
  if (params !== undefined && !isJsonObject(params)) return "its params are no object";
  return undefined;
}

function idOf(id: unknown): string | number | undefined {
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : undefined;
}
