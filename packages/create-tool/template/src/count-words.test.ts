import { createToolRegistry } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { countWordsTool } from "./count-words.ts";

const registry = createToolRegistry().register(countWordsTool);

describe("count_words", () => {
  test("names the most frequent words first", async () => {
    const result = await registry.dispatch("count_words", { text: "To be, or not to be", most: 2 });
    expect(result).toMatchObject({
      success: true,
      data: {
        total: 6,
        words: [
          { word: "to", times: 2 },
          { word: "be", times: 2 },
        ],
      },
    });
  });

  test("says what to do where there is nothing to count", async () => {
    const result = await registry.dispatch("count_words", { text: "1 + 1" });
    expect(result).toMatchObject({ success: false, code: "no_words", error: expect.stringContaining("send a text") });
  });
});
