import { ModelError } from "../agent/model.ts";
import type { LoggingFetch } from "./logging-fetch.ts";

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
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const status = thrown instanceof Error && "status" in thrown ? thrown.status : undefined;
  if (typeof status !== "number" && watched.answered) {
    return new ModelError(`Cannot read the answer of ${model}: it broke off (${message})`, {
      cause: thrown,
      brokeOff: true,
    });
  }
  const advice = typeof status === "number" ? ADVICE[status] : `is ${watched.host ?? "the server"} there?`;
  const why = advice === undefined ? message : `${message.replace(/\.$/, "")}; ${advice}`;
  return new ModelError(`Cannot get an answer of ${model}: ${why}`, { cause: thrown });
}
