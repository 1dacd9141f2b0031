import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { toAiSdkSettings } from "./ai-sdk.ts";
import { toAnthropicTools } from "./anthropic.ts";
import { toGeminiTools } from "./gemini.ts";
import { toOpenAiAgentsSettings } from "./openai-agents.ts";
import { toOpenAiChatTools, toOpenAiTools } from "./openai.ts";

const hotel = defineTool({
  name: "book_hotel",
  description: "Books a room.",
  parameters: z.object({}),
  execute: () => "booked",
});
const create = () => createToolRegistry().register(hotel, { defer: true });

describe("the option `loaded` of every format", () => {
  test.for([["book_hotel"], null, "book_hotel", 5, [5], ["book_hotel", null], new Set(["book_hotel"]), {}] as const)(
    "takes a list of names alone: %j",
    (loaded) => {
      const makers = [
        (): unknown => toOpenAiTools(create(), { loaded } as never),
        (): unknown => toOpenAiChatTools(create(), { loaded } as never),
        (): unknown => toAnthropicTools(create(), { loaded } as never),
        (): unknown => toGeminiTools(create(), { loaded } as never),
        (): unknown => toAiSdkSettings(create(), { loaded } as never),
        (): unknown => toOpenAiAgentsSettings((options) => options, create(), { loaded } as never),
      ];
      for (const make of makers) {
        if (Array.isArray(loaded) && loaded[0] === "book_hotel" && loaded.length === 1) expect(make).not.toThrow();
        else expect(make).toThrow(/^Cannot load tools: loaded is .*, allowed is a list of their names/);
      }
    },
  );
});
