import { ToolError } from "@dispatch/tools-interface";
import { checkOptions, isJsonObject, parseJson, unknownOption } from "@dispatch/tools-interface/internal";
import type { ApprovalDesk, DeskAnswer } from "./approval-desk.ts";

/** Options of {@link createApprovalHandler}. */
export interface ApprovalHandlerOptions {
  /** Who makes a request, or `undefined` for one that may see and answer nothing. Never trust a cookie alone here. */
  readonly authorize: (request: Request) => string | undefined | Promise<string | undefined>;
}

const ALLOWED =
  "Allowed is JSON that arrives as sent, with key and approved, and no field beside them but reason and params";
const ANSWER_FIELDS = { key: true, approved: true, reason: true, params: true };
const MAX_BODY_CHARS = 1_000_000;

/**
 * A handler of requests, as `fetch` and most servers know them: `GET` answers `{ waiting }`, `POST` with `{ key, approved, reason,
 * params }` as JSON answers one. 401 for others, 400 for any other field, a field that stands twice and a number that loses digits, 409 for a question that has its answer, 422 for parameters that do not fit.
 *
 * @example
 * ```ts
 * const handle = createApprovalHandler(desk, { authorize: (request) => userOf(request.headers.get("authorization")) });
 * ```
 */
export function createApprovalHandler(
  desk: ApprovalDesk,
  options: ApprovalHandlerOptions,
): (request: Request) => Promise<Response> {
  checkOptions("create a handler", options, { authorize: true });
  const { authorize } = options;
  if (typeof authorize !== "function") throw new TypeError("Cannot create a handler: authorize is no function");
  return async (request) => {
    try {
      const by = isForeign(request) ? undefined : await authorize(request);
      if (typeof by !== "string" || by === "") return reply(401, { error: "Not authorised" });
      if (request.method === "GET") return reply(200, { waiting: await desk.waiting() });
      if (request.method !== "POST") return reply(405, { error: "Allowed are GET and POST" });
      const body = await readAnswer(request);
      if (body === undefined) return reply(400, { error: ALLOWED });
      const isFirst = await desk.answer(body.key, { ...body.answer, by });
      return isFirst
        ? reply(200, { answered: true })
        : reply(409, { error: "It is answered, has lapsed, or is unknown" });
    } catch (thrown) {
      if (thrown instanceof ToolError && thrown.code === "invalid_params") return reply(422, { error: thrown.message });
      return reply(500, { error: "It could not be answered" });
    }
  };
}

/** A page of another origin may send requests in the name of the person who views it. */
function isForeign({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site") ?? "none";
  const origin = headers.get("origin");
  return !["same-origin", "none"].includes(site) || (origin !== null && origin !== new URL(url).origin);
}

async function readAnswer(
  request: Request,
): Promise<{ readonly key: string; readonly answer: Omit<DeskAnswer, "by"> } | undefined> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) return undefined;
  const text = await boundedText(request);
  try {
    // A field that stands twice or is misspelt may mean another answer, or other parameters.
    const body: unknown = text === undefined ? undefined : parseJson(text);
    if (!isJsonObject(body) || unknownOption(body, ANSWER_FIELDS) !== undefined) return undefined;
    const { key, approved, reason, params } = body;
    if (typeof key !== "string" || typeof approved !== "boolean") return undefined;
    const said = typeof reason === "string" ? { reason } : {};
    return { key, answer: { approved, ...said, ...(params !== undefined && { params }) } };
  } catch {
    return undefined;
  }
}

/** `undefined` when the body is too long: the rest of it is not read. */
async function boundedText({ body }: Request): Promise<string | undefined> {
  let text = "";
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return text;
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_BODY_CHARS) {
      await reader?.cancel();
      return undefined;
    }
  }
}

function reply(status: number, body: unknown): Response {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  return new Response(JSON.stringify(body), { status, headers: { ...headers, "x-content-type-options": "nosniff" } });
}
