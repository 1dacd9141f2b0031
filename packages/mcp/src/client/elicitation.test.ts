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

const text = { type: "string" };

test.each<readonly [string, object]>([
  ["an address to open", { mode: "url", url: "https://evil.example", elicitationId: "1", message: "Sign in" }],
  [
    "an address to open, in a form's clothes",
    { mode: "URL", message: "", requestedSchema: { properties: { a: text } } },
  ],
  ["no form", { message: "x" }],
  ["a list for a form", { message: "x", requestedSchema: [] }],
  ["a form that is a text", { requestedSchema: text }],
  ["a field in a field", { requestedSchema: { properties: { a: { type: "object", properties: { b: text } } } } }],
  ["a list of anything", { requestedSchema: { properties: { a: { type: "array", items: { type: "object" } } } } }],
  ["a reference", { requestedSchema: { properties: { a: { type: "string", $ref: "#/$defs/a" } } } }],
  ["a field of two kinds", { requestedSchema: { properties: { a: { type: ["string", "object"] } } } }],
  ["a field of no kind", { requestedSchema: { properties: { a: {} } } }],
  [
    "51 fields",
    { requestedSchema: { properties: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, text])) } },
  ],
  [
    "a choice of 60,000 characters",
    { requestedSchema: { properties: { a: { ...text, enum: ["x".repeat(60_000)] } } } },
  ],
])("a question with %s is asked of nobody", async (_, question) => {
  let asked = 0;
  const answer = createElicitationHandler("other", () =>
    Promise.resolve({ action: "accept", content: { a: (asked += 1) } }),
  );
  expect(await answer(question, never)).toEqual({ action: "cancel" });
  expect(asked).toBe(0);
});

test("a flat form of every kind is asked, without what is around it", async () => {
  let seen: unknown;
  const answer = createElicitationHandler("other", ({ fields }) => {
    seen = fields;
    return Promise.resolve({ action: "decline" });
  });
  const properties = {
    name: { ...text, format: "email" },
    size: { type: "integer", minimum: 1 },
    sure: { type: "boolean", default: false },
    one: { ...text, oneOf: [{ const: "a", title: "A" }] },
    some: { type: "array", items: { type: "string", enum: ["a"] } },
  };
  const requestedSchema = { type: "object", properties, required: ["name", "gone", 5], $defs: { a: {} }, allOf: [{}] };
  expect(await answer({ message: "x", requestedSchema }, never)).toEqual({ action: "decline" });
  expect(seen).toEqual({ type: "object", properties, required: ["name"] });
});
