import { describe, expect, test } from "vitest";
import { createToolRegistry, defineTool } from "../index.ts";
import { createFusedToolIndex, type ToolEmbedder } from "./fused-tool-index.ts";

/** The trigrams of a text, counted by their hashes: similar for texts that are spelt alike. */
const embed: ToolEmbedder = (texts) =>
  Promise.resolve(
    texts.map((text) => {
      const vector = Array.from({ length: 512 }, () => 0);
      const plain = ` ${text.toLowerCase().replaceAll(/[^a-z]+/g, " ")} `;
      for (let at = 0; at + 3 <= plain.length; at += 1) {
        let hash = 7;
        for (const letter of plain.slice(at, at + 3)) hash = (hash * 31 + letter.codePointAt(0)!) % 512;
        vector[hash]! += 1;
      }
      return vector;
    }),
  );
const tool = (name: string, description: string) =>
  defineTool({ name, description, parameters: { type: "object" }, execute: () => "" });
const tools = [
  tool("weather_forecast", "Temperature and rain of the next days."),
  tool("find_flights", "Flights between two airports."),
  tool("book_hotel", "Books a room."),
];
const names = async (query: string, by = embed) =>
  (await createFusedToolIndex(tools, by).search(query)).map(({ name }) => name);

describe("createFusedToolIndex()", () => {
  test("finds by words, and what words alone would not", async () => {
    expect((await names("rain"))[0]).toBe("weather_forecast");
    expect((await names("wether forcast"))[0]).toBe("weather_forecast");
    expect((await names("hotels"))[0]).toBe("book_hotel");
  });

  test.for<[string, ToolEmbedder]>([
    ["rejects", () => Promise.reject(new Error("no network"))],
    [
      "throws",
      () => {
        throw new Error("no network");
      },
    ],
    ["answers nothing", () => Promise.resolve(undefined as never)],
    ["answers fewer", () => Promise.resolve([])],
    ["answers no numbers", (texts) => Promise.resolve(texts.map(() => [Number.NaN]))],
  ])("finds by words alone where the embedder %s", async ([, broken]) => {
    expect(await names("rain", broken)).toEqual(["weather_forecast"]);
  });

  test("finds by words alone where the embedder never answers", async () => {
    const index = createFusedToolIndex(tools, () => new Promise(() => {}), { timeoutMs: 5 });
    expect((await index.search("rain")).map(({ name }) => name)).toEqual(["weather_forecast"]);
    const cancelled = await index.search("room", { signal: AbortSignal.abort() });
    expect(cancelled.map(({ name }) => name)).toEqual(["book_hotel"]);
  });

  test("embeds the tools once, and again after a failure", async () => {
    const sizes: number[] = [];
    const counting: ToolEmbedder = (texts, options) => {
      sizes.push(texts.length);
      return sizes.length === 1 ? Promise.reject(new Error("busy")) : embed(texts, options);
    };
    const index = createFusedToolIndex(tools, counting);
    for (const query of ["rain", "rain", "room"]) await index.search(query);
    expect(sizes).toEqual([3, 1, 3, 1, 1]);
  });
});

test("createToolRegistry({ toolEmbedder }) finds deferred tools with it", async () => {
  const registry = createToolRegistry({ toolEmbedder: embed }).register(tools, { defer: true });
  const found = await registry.dispatch({ name: "search_tools", params: { query: "wether forcast", limit: 1 } });
  expect(found).toMatchObject({ success: true, data: { tools: [{ name: "weather_forecast" }] } });
});

test("createToolRegistry({ toolEmbedder }) embeds the tools once for the searches of one turn", async () => {
  const embedded: string[] = [];
  const toolEmbedder = (texts: readonly string[]) => {
    embedded.push(...texts);
    return Promise.resolve(texts.map(() => [1, 2]));
  };
  const registry = createToolRegistry({ toolEmbedder }).register(tools, { defer: true });
  const queries = ["one", "two", "three"];
  await registry.dispatchAll(queries.map((query) => ({ name: "search_tools", arguments: { query } })));
  expect(embedded).toHaveLength(tools.length + queries.length);
});
