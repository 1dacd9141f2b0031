import { describe, expect, test } from "vitest";
import type { ToolDefinition } from "../call/tool.ts";
import { createToolIndex } from "./tool-index.ts";

const tool = (name: string, description: string, properties: object = {}): ToolDefinition => ({
  name,
  description,
  parameters: { type: "object", properties },
});

const THINGS = ["invoice", "calendar", "issue", "email", "photo", "contact", "order", "playlist", "ticket", "report"];
const ACTIONS = ["create", "delete", "list", "send", "archive"];
const tools = THINGS.flatMap((thing) =>
  ACTIONS.map((action) =>
    tool(`${thing}s_${action}`, `Use this to ${action} one ${thing} of the signed-in user. Answers its identifier.`, {
      id: { type: "string", description: `Identifier of the ${thing}` },
    }),
  ),
);
const words = [...THINGS, ...ACTIONS];

/** Tools whose texts are made to be found for every request. */
const stuffed: readonly (readonly [how: string, tool: ToolDefinition])[] = [
  ["repeats all words", tool("best", `${words.join(" ")} `.repeat(100))],
  ["repeats one word", tool("best", "invoice ".repeat(1_000))],
  ["repeats one word in a short text", tool("best", "invoice invoice invoice invoice")],
  ["lists all words", tool("best", words.join(", "))],
  ["says what others say", tool("best", tools.map(({ description }) => description).join(" "))],
  ["repeats what one other says", tool("best", `${tools[0]!.description} `.repeat(40))],
  ["holds all words in its name", tool(words.join("_").slice(0, 128), "Best tool.")],
  [
    "holds them in its parameters",
    tool("best", "A tool.", Object.fromEntries(words.map((word) => [word, { description: `${word} `.repeat(50) }]))),
  ],
];

describe("a tool with a stuffed text", () => {
  test.each(stuffed)("does not take the place of the right one: %s", (_, evil) => {
    const index = createToolIndex([evil, ...tools]);
    for (const thing of THINGS)
      for (const action of ACTIONS)
        for (const query of [`${action} ${thing}`, `I want to ${action} an ${thing} now`])
          expect(index.search(query, { limit: 1 })[0]?.name).toBe(`${thing}s_${action}`);
  });

  test.each(stuffed)("counts less with each repetition: %s", (_, { name, description, parameters }) => {
    const once = { name, description, parameters };
    const often = { ...once, description: `${description} `.repeat(8) };
    const scoreIn = (one: ToolDefinition): number =>
      createToolIndex([...tools, one])
        .search("invoice", { limit: 99 })
        .find((found) => found.name === name)?.score ?? 0;
    expect(scoreIn(often)).toBeLessThanOrEqual(scoreIn(once) * 1.05);
  });
});
