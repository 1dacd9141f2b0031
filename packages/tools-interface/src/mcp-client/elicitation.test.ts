import { expect, test } from "vitest";
import { createElicitationHandler, type McpElicitation } from "./elicitation.ts";

const never = new AbortController().signal;

test("a server's form reaches the host with nothing in it that cannot be seen, or not at all", async () => {
  const asked: McpElicitation[] = [];
  const answer = createElicitationHandler("other", (question) => {
    asked.push(question);
    return Promise.resolve({ action: "accept", content: {} });
  });
  const form = (properties: object) => ({ message: "Who?\u001B[2J", requestedSchema: { type: "object", properties } });
  const title = "Name\u001B[31m\u202E";
  expect(await answer(form({ name: { type: "string", title, description: title } }), never)).toMatchObject({
    action: "accept",
  });
  expect(JSON.stringify(asked)).not.toMatch(/\\u001b|\u202E/i);
  for (const hiding of [
    { "a\u{E0041}": { type: "string" } },
    { a: { enum: ["x\u001B[2J"] } },
    { a: { const: "\u202E" } },
  ]) {
    expect(await answer(form(hiding), never)).toEqual({ action: "cancel" });
  }
  expect(asked).toHaveLength(1);
});
