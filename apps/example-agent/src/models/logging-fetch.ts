import { endingStream, SilenceError, silenceOf } from "./silence.ts";

/** How often an SDK tries again before it gives up. */
const MAX_RETRIES = 4;

/** The SDKs' options: the time limit is that of the fetch, so theirs is the longest that a timer takes. */
export const SDK_LIMITS = { maxRetries: MAX_RETRIES, timeout: 2 ** 31 - 1 };

/** A fetch that is looked at: the SDKs retry by themselves and say nothing. */
export interface LoggingFetch {
  /** For the SDK. */
  readonly fetch: typeof fetch;
  /** Whether the server has begun to answer properly. */
  readonly answered: boolean;
  /** Who was asked, once somebody was. */
  readonly host: string | undefined;
}

/**
 * Reports every retry and its reason to a person. Both SDKs count in the header `x-stainless-retry-count`, and wait as
 * long as `Retry-After` says.
 */
export function createLoggingFetch(onNotice: (text: string) => void, silence = silenceOf()): LoggingFetch {
  let answered = false;
  let host: string | undefined;
  const tellSilence = (): void =>
    onNotice(`${host} has sent nothing for ${Math.round(silence.noticeMs / 1_000)} s: still waiting`);
  const beforeAnswer = async (ask: (stalled: AbortSignal) => Promise<Response>): Promise<Response> => {
    const stalled = new AbortController();
    const notice = setTimeout(tellSilence, silence.noticeMs);
    const end = setTimeout(() => stalled.abort(new SilenceError(silence)), silence.timeoutMs);
    return ask(stalled.signal).finally(() => {
      clearTimeout(notice);
      clearTimeout(end);
    });
  };
  const watched: typeof fetch = async (input, init) => {
    host = new URL(input instanceof Request ? input.url : input).host;
    const retry = Number(new Headers(init?.headers).get("x-stainless-retry-count") ?? 0);
    const retrying = (why: string): void => {
      if (retry < MAX_RETRIES) onNotice(`${host} ${why}: asking again (${retry + 1} of ${MAX_RETRIES})`);
    };
    try {
      const response = await beforeAnswer((stalled) =>
        fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, stalled]) : stalled }),
      );
      answered ||= response.ok;
      if (isRetried(response)) retrying(`answered ${response.status}${delayOf(response)}`);
      if (!response.ok || response.body === null) return response;
      return new Response(endingStream(response.body, silence, tellSilence), response);
    } catch (error) {
      if (init?.signal?.aborted !== true)
        retrying(error instanceof SilenceError ? "sent nothing in time" : "cannot be reached");
      throw error;
    }
  };
  return {
    fetch: watched,
    get answered() {
      return answered;
    },
    get host() {
      return host;
    },
  };
}

/** Whether both SDKs retry this response. */
function isRetried({ status, headers }: Response): boolean {
  const said = headers.get("x-should-retry");
  if (said !== null) return said === "true";
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function delayOf({ headers }: Response): string {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return seconds > 0 ? `, asked to wait ${seconds} s` : "";
}
