import type { AnyToolRegistry, ToolDefinition } from "@dispatch/tools-interface";
import type { Message, Usage } from "./conversation.ts";
import { INSTRUCTIONS } from "./instructions.ts";

/** How much a model can read, as far as that is known, and how much of it a request takes. */
export interface ContextWindow {
  /** Tokens that a request may have. `undefined`: the provider has not said yet. */
  readonly limit: number | undefined;
  /** Tokens of a request with these messages. An estimate, based on the provider's counts so far. */
  tokensOf(messages: readonly Message[], registry: AnyToolRegistry): number;
  /** Tokens of a text. */
  tokensOfText(text: string): number;
  /** Takes in how many tokens the provider counted. */
  counted(messages: readonly Message[], registry: AnyToolRegistry, usage: Usage): void;
  /** Takes in that a request was too long. `limit`, where the provider said it. */
  tooLong(messages: readonly Message[], registry: AnyToolRegistry, limit: number | undefined): void;
}

/** Tokens of a character before anything was counted: more than English and code have. */
const FIRST_GUESS = 0.3;
/** Tokens that an image is taken for. */
const IMAGE_TOKENS = 1_500;
/** A provider that refuses a request without naming a limit can read at most this share of the estimate. */
const REFUSED_SHARE = 0.8;

/** A window of so many tokens, or one that is not known yet. */
export function createContextWindow(limit?: number): ContextWindow {
  let known = limit;
  let perChar = FIRST_GUESS;
  const estimate = (messages: readonly Message[], registry: AnyToolRegistry): number => {
    const images = messages.reduce((sum, message) => sum + imagesOf(message), 0);
    return Math.ceil(charsOf(messages, registry) * perChar) + images * IMAGE_TOKENS;
  };
  return {
    get limit() {
      return known;
    },
    tokensOf: estimate,
    tokensOfText: (text) => Math.ceil(text.length * perChar),
    counted(messages, registry, { input }) {
      // Wrong or missing counts of a server must not make the estimate useless.
      if (input > 0) perChar = Math.min(1, Math.max(0.1, input / charsOf(messages, registry)));
    },
    tooLong(messages, registry, said) {
      const guess = Math.floor(estimate(messages, registry) * REFUSED_SHARE);
      // The refused request has more tokens than the named limit, so the estimate was too low.
      if (said !== undefined) perChar = Math.max(perChar, (said * 1.05) / charsOf(messages, registry));
      known = Math.min(known ?? Number.POSITIVE_INFINITY, said ?? guess);
    },
  };
}

function charsOf(messages: readonly Message[], registry: AnyToolRegistry): number {
  const tools = registry.toArray().reduce((sum, tool) => sum + toolChars(tool), 0);
  return messages.reduce((sum, message) => sum + messageChars(message), INSTRUCTIONS.length + tools);
}

/** A definition never changes, and each request counts those of all tools some ten times. */
const counts = new WeakMap<ToolDefinition, number>();

function toolChars(tool: ToolDefinition): number {
  const chars = counts.get(tool) ?? JSON.stringify(tool).length;
  counts.set(tool, chars);
  return chars;
}

function messageChars(message: Message): number {
  if (message.role === "user") return message.text.length + 20;
  if (message.role === "tool") return message.results.reduce((sum, result) => sum + String(result).length + 60, 0);
  const { original, text, calls } = message;
  return JSON.stringify(original?.content ?? [text, calls]).length;
}

function imagesOf(message: Message): number {
  if (message.role !== "tool") return 0;
  const parts = message.results.flatMap((result) => (result.success ? (result.content ?? []) : []));
  return parts.filter(({ type }) => type !== "text").length;
}
