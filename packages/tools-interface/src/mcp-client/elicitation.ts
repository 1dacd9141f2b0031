import { cleanText } from "../display/clean-text.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { Semaphore } from "../wait/semaphore.ts";
import { tameSchema } from "./tame-schema.ts";

/** A question of a server to the host's user. Nothing of it is trusted: never send a password. */
export interface McpElicitation {
  /** The name the host gave the server. Show it: the message may imitate another. */
  readonly server: string;
  /** The server's message, without invisible characters. */
  readonly message: string;
  /** The fields of the form, a flat object of texts, numbers, booleans and choices, with nothing in it that cannot be seen. */
  readonly fields: JsonSchema;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** The user's answer. */
export type McpElicitationAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: "decline" | "cancel" };

/** Puts a server's question to the user, one at a time. */
export type McpElicit = (question: McpElicitation) => Promise<McpElicitationAnswer>;

const MAX_MESSAGE_CHARS = 4_000;
/** Questions that wait behind the one that is asked; more are cancelled. */
const MAX_WAITING = 8;

/** Answers `elicitation/create` of one server. A failure of the host's is no answer. */
export function createElicitationHandler(server: string, elicit: McpElicit) {
  const oneAtATime = new Semaphore(1);
  let waiting = 0;
  return async (
    { message, requestedSchema }: { readonly message?: unknown; readonly requestedSchema?: unknown },
    signal: AbortSignal,
  ): Promise<McpElicitationAnswer> => {
    if (waiting > MAX_WAITING) return { action: "cancel" };
    waiting += 1;
    try {
      return await oneAtATime.run(async () =>
        signal.aborted
          ? { action: "cancel" }
          : elicit({
              server,
              message: typeof message === "string" ? cleanText(message).slice(0, MAX_MESSAGE_CHARS) : "",
              fields: isJsonObject(requestedSchema) ? tameSchema(requestedSchema) : {},
              signal,
            }),
      );
    } catch {
      return { action: "cancel" };
    } finally {
      waiting -= 1;
    }
  };
}
