import type { Model } from "../../src/agent/model.ts";
import { createAnthropicModel } from "../../src/models/anthropic-model.ts";
import { createOpenAiChatModel } from "../../src/models/openai-chat-model.ts";
import { createOpenAiResponsesModel } from "../../src/models/openai-responses-model.ts";
import type { Answer } from "./answer.ts";
import { anthropicEvents } from "./anthropic-events.ts";
import { chatEvents } from "./chat-events.ts";
import { responsesEvents } from "./responses-events.ts";

/** One of the protocols that models are asked over. */
export interface Dialect {
  readonly dialect: string;
  /** Where requests go. */
  readonly path: string;
  /** The variables that lead the SDK to a server. */
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  readonly create: (url: string) => Promise<Model>;
  readonly events: (answer: Answer) => readonly string[];
}

/** All of them. */
export const DIALECTS: readonly Dialect[] = [
  {
    dialect: "Anthropic Messages",
    path: "/v1/messages",
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "test" }),
    create: () => createAnthropicModel("m"),
    events: anthropicEvents,
  },
  {
    dialect: "OpenAI Responses",
    path: "/v1/responses",
    environment: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "test" }),
    create: () => createOpenAiResponsesModel("m"),
    events: responsesEvents,
  },
  {
    dialect: "Chat Completions",
    path: "/v1/chat/completions",
    environment: () => ({}),
    create: (url) => createOpenAiChatModel("m", `${url}/v1`),
    events: chatEvents,
  },
];
