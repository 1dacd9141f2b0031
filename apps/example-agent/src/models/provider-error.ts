import { ModelError } from "../agent/model.ts";
import type { LoggingFetch } from "./logging-fetch.ts";
import { SilenceError } from "./silence.ts";

/** Advice on a status, for a person. */
const ADVICE: Readonly<Record<number, string>> = {
  401: "check the key in the environment",
  403: "check what the key may do",
  404: "check the name of the model",
  413: "the conversation is too long: begin a new one",
  429: "wait, or raise the limit of the account",
};

/**
 * A vendor SDK's error, in words for a person. Both SDKs put the HTTP status into `status`; an error without one after
 * the answer had begun means that it broke off.
 */
export function providerError(model: string, thrown: unknown, watched: LoggingFetch): ModelError {
  if (thrown instanceof ModelError) return thrown;
  // The SDKs put the error of a fetch into `cause`, behind one of their own.
  const error = thrown instanceof Error && thrown.cause instanceof SilenceError ? thrown.cause : thrown;
  const message = shortMessage(error instanceof Error ? error.message : String(error));
  const status = thrown instanceof Error && "status" in thrown ? thrown.status : undefined;
  if (typeof status !== "number" && watched.answered) {
    return new ModelError(`Cannot read the answer of ${model}: it broke off (${message})`, {
      cause: thrown,
      brokeOff: true,
    });
  }
  const tooLong = typeof status === "number" ? overflowOf(status, message) : undefined;
  const advice = typeof status === "number" ? ADVICE[status] : `is ${watched.host ?? "the server"} there?`;
  const why = advice === undefined ? message : `${message.replace(/\.$/, "")}; ${advice}`;
  return new ModelError(`Cannot get an answer of ${model}: ${why}`, { cause: thrown, tooLong });
}

/** How providers and local servers say that a request has more tokens than the model can read. */
const TOO_LONG =
  /context.?(length|window|size)|prompt is too long|exceed_context|maximum context|too many tokens|input.* too long/i;
/** The limit, in the words of those that say it: `9123 tokens > 9000 maximum`, `maximum context length is 9000 tokens`. */
const LIMITS = [
  />\s*(\d{3,})\s*maximum/i,
  /(?:maximum|context)[^.]{0,40}?\(?(\d{3,})\)? tokens/i,
  /context size \((\d{3,})/i,
];

function overflowOf(status: number, message: string): ModelError["tooLong"] {
  if (status !== 413 && !([400, 422, 500].includes(status) && TOO_LONG.test(message))) return undefined;
  const said = LIMITS.map((limit) => Number(limit.exec(message)?.[1])).find((limit) => limit > 0);
  return said === undefined ? {} : { limit: said };
}

/** Characters of a message that are shown. */
const MAX_MESSAGE = 500;

/** Proxies answer with whole pages: of those the title is shown. */
function shortMessage(message: string): string {
  const at = message.search(/<(?:!doctype|html|head|body)\b/i);
  if (at === -1) return message.slice(0, MAX_MESSAGE).toWellFormed();
  const title = /<title[^>]*>([^<]*)/i.exec(message)?.[1]?.replaceAll(/\s+/g, " ").trim() ?? "";
  const before = message.slice(0, at).replaceAll(/\s+/g, " ").trim();
  return `${before === "" ? "" : `${before}, `}a page of HTML${title === "" ? "" : `: ${title.slice(0, 100)}`}`;
}
