import { ToolError } from "@dispatch/tools-interface";

/** A request to a search service. */
export interface JsonRequest {
  readonly url: URL;
  /** May hold a key: sent to the origin of `url` alone, and in no error. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Bytes of an answer, unpacked. */
const MAX_BYTES = 2_000_000;
const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 3;

/** Why there is no answer. */
interface Failed {
  readonly problem: string;
  /** Whether the same request may succeed later. */
  readonly again: boolean;
}

type Attempt = { readonly json: unknown } | Failed;

/**
 * Asks a service for JSON. A redirect is followed inside its origin. A failed request is not repeated: the error says
 * whether searching again later makes sense, and the model decides.
 *
 * @throws {ToolError} `search_unavailable`, with the service's status; never with the address, a header or its own words.
 */
export async function fetchJson(request: JsonRequest): Promise<unknown> {
  const answer = await attempt(request);
  if ("json" in answer) return answer.json;
  request.signal.throwIfAborted();
  const { problem, again } = answer;
  const then = again ? "go on without it, or search again later" : "go on without it, and tell the user";
  throw new ToolError(`Cannot search the web: the search service ${problem}; ${then}`, { code: "search_unavailable" });
}

async function attempt({ url, headers, signal }: JsonRequest): Promise<Attempt> {
  const given = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await follow(url, headers, given);
    if (response === undefined) return { problem: "sends on to another place, where it is not followed", again: false };
    const { ok, status } = response;
    if (ok) return await readJson(response);
    await response.body?.cancel();
    const again = status === 429 || status >= 500;
    return { problem: `answered with status ${status}${pauseOf(response.headers)}`, again };
  } catch {
    return { problem: "cannot be reached or did not answer in time", again: true };
  }
}

/** The response at the end of all redirects; none if they leave the origin or do not end. */
async function follow(start: URL, headers: JsonRequest["headers"], signal: AbortSignal): Promise<Response | undefined> {
  let url = start;
  for (let followed = 0; followed <= MAX_REDIRECTS; followed += 1) {
    const response = await fetch(url, { headers, signal, redirect: "manual" });
    const to = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || to === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(to, url)) return undefined;
    url = new URL(to, url);
    if (url.origin !== start.origin) return undefined;
  }
  return undefined;
}

async function readJson({ body }: Response): Promise<Attempt> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) return { problem: `answered with more than ${MAX_BYTES} bytes`, again: false };
    chunks.push(chunk);
  }
  try {
    return { json: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
  } catch {
    return { problem: "answered with what is no JSON", again: false };
  }
}

/** The pause that a busy service asks for, where it names seconds. */
function pauseOf(headers: Headers): string {
  const seconds = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(seconds) && seconds !== "0" ? ` and asked to wait ${seconds} s` : "";
}
