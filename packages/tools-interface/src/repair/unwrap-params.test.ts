import { expect, test } from "vitest";
import { createToolRegistry, defineTool } from "../index.ts";

const received: unknown[] = [];
const registry = createToolRegistry().register(
  ["find", "find_by_id"].map((name) =>
    defineTool({
      name,
      description: "Finds.",
      parameters: {
        type: "object",
        properties: { city: { type: "string" }, ...(name === "find_by_id" && { id: { type: "integer" } }) },
      },
      execute: (params) => void received.push(params),
    }),
  ),
);
const run = async (name: string, params: unknown): Promise<unknown> => {
  received.length = 0;
  const result = await registry.dispatch({ name, params });
  return result.success ? [received[0], result.repairs.map(({ kind }) => kind)] : result.code;
};

test.for([
  { id: "call_1", arguments: { city: "Oslo" } },
  { call_id: "1", type: "function", function: { name: "find", arguments: '{"city":"Oslo"}' } },
])("dispatch() takes parameters out of %j, which says which call it is", async (params) => {
  expect(await run("find", params)).toEqual([{ city: "Oslo" }, ["unwrapped"]]);
});

test("dispatch() repairs nothing where parameters stand inside and beside", async () => {
  // Either id may be meant.
  expect(await run("find_by_id", { id: "1", arguments: { id: 4 } })).toBe("invalid_params");
  expect(await run("find_by_id", { id: "1", arguments: { note: 4 } })).toEqual([
    { id: 1, arguments: { note: 4 } },
    ["to_number"],
  ]);
});
