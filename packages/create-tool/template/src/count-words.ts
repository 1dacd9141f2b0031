import { defineTool, ToolError } from "@dispatch/tools-interface";
import { z } from "zod";

/** The parameters a model sends. Every field has a description: the model reads it. */
const parameters = z.object({
  text: z.string().max(100_000).describe("Text to count in"),
  most: z.number().int().min(1).max(100).default(10).describe("How many of the most frequent words are named"),
});

/** The result for code in a sandbox, checked before anybody receives it. */
const output = z.object({
  total: z.number().int().describe("Words in the text"),
  words: z.array(z.object({ word: z.string(), times: z.number().int() })).describe("The most frequent first"),
});

/** There is nothing to count. Code `no_words`. The model reads the message. */
export class NoWordsError extends ToolError {
  override readonly name = "NoWordsError";

  constructor() {
    super("Cannot count the words: the text has none; send a text with letters in it", { code: "no_words" });
  }
}

/** Counts the words of a text. */
export const countWordsTool = defineTool({
  name: "count_words",
  description: "Counts the words of a text and names the most frequent ones, whatever their case.",
  parameters,
  output,
  annotations: { readOnly: true },
  execute({ text, most }) {
    const found = text.toLowerCase().match(/\p{L}+/gu) ?? [];
    if (found.length === 0) throw new NoWordsError();
    const times = new Map<string, number>();
    for (const word of found) times.set(word, (times.get(word) ?? 0) + 1);
    const words = [...times].toSorted(([, a], [, b]) => b - a).slice(0, most);
    return { total: found.length, words: words.map(([word, count]) => ({ word, times: count })) };
  },
});
