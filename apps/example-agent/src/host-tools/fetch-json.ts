import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@dispatch/tools-interface";

/** What is asked of a service, and how much of it is taken. */
export interface JsonRequest {
  readonly url: URL;
  /** May hold a key: sent to the origin of `url` alone, and in no error. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Hears that it is asked once more, and why. */
  readonly onRetry: (why: string) => void;
}

/** Most bytes of an answer, unpacked. */
const MAX_BYTES = 2_000_000;
/** Milliseconds for one try. */
const TRY_MS = 15_000;
const TRIES = 3;
/** Milliseconds before the second try, doubled with each. */
const FIRST_PAUSE_MS = 500;
/** Milliseconds: who asks for a longer pause is not asked again. */
const MAX_PAUSE_MS = 20_000;
const MAX_REDIRECTS = 3;

/** Why there is no answer. */
interface Failed {
  readonly problem: string;
  readonly again: boolean;
  readonly pause?: number;
}

type Attempt = { readonly json: unknown } | Failed;

/**
 * Asks a service for JSON. A busy or broken one is asked again, as its `Retry-After` says; a redirect is followed inside
 * its origin.
 *
 * @throws {ToolError} `search_unavailable`, with what the service did; never with the address, a header or what it wrote.
 */
export async function fetchJson(request: JsonRequest): Promise<unknown> {
  const { signal, onRetry } = request;
  for (let tried = 1; ; tried += 1) {
    const answer = await attempt(request);
    if ("json" in answer) return answer.json;
    signal.throwIfAborted();
    const pause = answer.pause ?? FIRST_PAUSE_MS * 2 ** (tried - 1);
    if (!answer.again || tried === TRIES || pause > MAX_PAUSE_MS) throw unavailable(answer, pause);
    onRetry(`the search service ${answer.problem}, asking again`);
    await sleep(pause, undefined, { signal });
  }
}

async function attempt({ url, headers, signal }: JsonRequest): Promise<Attempt> {
  const given = AbortSignal.any([signal, AbortSignal.timeout(TRY_MS)]);
  try {
    const response = await follow(url, headers, given);
    if (response === undefined) return { problem: "sends on to another place, where it is not followed", again: false };
    const { ok, status } = response;
    if (ok) return await readJson(response);
    await response.body?.cancel();
    const pause = toPause(response.headers.get("retry-after"));
    const again = status === 429 || status >= 500;
    return { problem: `answered with status ${status}`, again, ...(pause !== undefined && { pause }) };
  } catch {
    return { problem: "cannot be reached or did not answer in time", again: true };
  }
}

/** What is at the end of all redirects; none when they leave the origin or do not end. */
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

/** Seconds or a date, in milliseconds from now. */
function toPause(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : undefined;
}

function unavailable({ problem, again }: Failed, pause: number): ToolError {
  const wait = again && pause > MAX_PAUSE_MS ? ` and asked to wait ${Math.ceil(pause / 1_000)} s` : "";
  const then = again ? "go on without it, or search again later" : "go on without it, and tell the user";
  return new ToolError(`Cannot search the web: the search service ${problem}${wait}; ${then}`, {
    code: "search_unavailable",
  });
}
