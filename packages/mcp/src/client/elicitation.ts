import { type JsonSchema } from "@dispatch/tools-interface";
import { cleanText } from "@dispatch/tools-interface/display";
import { isJsonObject, Semaphore } from "@dispatch/tools-interface/internal";
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
/** Fields of one form, and characters of its JSON. */
const MAX_FIELDS = 50;
const MAX_FORM_CHARS = 50_000;
/** The kinds of a field. */
const KINDS: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean"]);

/** Answers `elicitation/create` of one server. A failure of the host's is no answer. */
export function createElicitationHandler(server: string, elicit: McpElicit) {
  const oneAtATime = new Semaphore(1);
  let waiting = 0;
  return async (
    { mode = "form", message, requestedSchema }: { mode?: unknown; message?: unknown; requestedSchema?: unknown },
    signal: AbortSignal,
  ): Promise<McpElicitationAnswer> => {
    // An address to be opened is never shown.
    if (waiting > MAX_WAITING || mode !== "form") return { action: "cancel" };
    waiting += 1;
    try {
      return await oneAtATime.run(async () =>
        signal.aborted
          ? { action: "cancel" }
          : elicit({
              server,
              message: typeof message === "string" ? cleanText(message).slice(0, MAX_MESSAGE_CHARS) : "",
              fields: flatForm(requestedSchema),
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

/** @throws {Error} When it is no flat form, or hides something. */
function flatForm(form: unknown): JsonSchema {
  if (!isJsonObject(form) || JSON.stringify(form).length > MAX_FORM_CHARS)
    throw new Error("it is no form, or too long");
  const { type = "object", properties, required } = form;
  const fields = Object.entries(isJsonObject(properties) ? properties : {});
  if (type !== "object" || fields.length > MAX_FIELDS || !fields.every(([, field]) => isField(field))) {
    throw new Error("its fields are no texts, numbers, booleans and choices");
  }
  const wanted = fields.map(([name]) => name).filter((name) => Array.isArray(required) && required.includes(name));
  return tameSchema({ type: "object", properties: Object.fromEntries(fields), required: wanted });
}

function isField(field: unknown): boolean {
  if (!isJsonObject(field) || "properties" in field || "$ref" in field) return false;
  const { type, items } = field;
  return KINDS.has(type) || (type === "array" && isJsonObject(items) && ("enum" in items || "anyOf" in items));
}
