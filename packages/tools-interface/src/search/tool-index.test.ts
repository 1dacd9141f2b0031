import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ToolDefinition } from "../call/tool.ts";
import { createToolIndex, createToolIndexInSlices } from "./tool-index.ts";

const tool = (name: string, description: string, properties: object = {}): ToolDefinition => ({
  name,
  description,
  parameters: { type: "object", properties },
});

const tools = [
  tool("github/create_issue", "Opens an issue in a repository.", {
    labels: { type: "array", items: { enum: ["bug"] } },
  }),
  tool("github/get_issue", "Reads one issue by its number."),
  tool("getHTTPResponse", "Answers what a server sent.", { timeoutMs: { type: "number", description: "Patience." } }),
  tool("weather_forecast", "Temperature and rain of the next days.", { city: { type: "string" } }),
  tool("find_flights", "Flights between two airports on a day."),
  tool("bing_search", "使用必应搜索指定的关键词，并返回搜索结果列表"),
  tool("delete_file", "Deletes a file.", { target: { anyOf: [{ properties: { inode: { type: "number" } } }] } }),
  tool("café_menu", "What there is for lunch."),
];
const index = createToolIndex(tools);
const found = (query: string, options?: Parameters<typeof index.search>[1]): readonly string[] =>
  index.search(query, options).map(({ name }) => name);

describe("search()", () => {
  test.for([
    ["open a new issue", "github/create_issue"],
    ["create issues", "github/create_issue"],
    ["HTTP responses", "getHTTPResponse"],
    ["gethttpresponse", undefined],
    ["will it be raining", "weather_forecast"],
    ["climate in Madrid", "weather_forecast"],
    ["book an airline ticket", "find_flights"],
    ["搜索关键词", "bing_search"],
    ["remove it", "delete_file"],
    ["inode", "delete_file"],
    ["bug", "github/create_issue"],
    ["patience", "getHTTPResponse"],
    ["cafe", "café_menu"],
    ["ＷＥＡＴＨＥＲ", "weather_forecast"],
    ["the of and", undefined],
    ["", undefined],
    ["\uD800 \0 ???", undefined],
  ] as const)("finds for %j first %s", ([query, name]) => {
    expect(found(query)[0]).toBe(name);
  });

  test("puts the tool first whose name is the request", () => {
    for (const { name } of tools) expect(found(name)[0]).toBe(name);
  });

  test("finds as many as are asked for, without those excluded, with falling scores", () => {
    expect(found("issue", { limit: 1 })).toHaveLength(1);
    expect(found("issue", { exclude: ["github/get_issue", "unknown"] })).toEqual(["github/create_issue"]);
    const scores = index.search("issue search file city", { limit: 50 }).map(({ score }) => score);
    expect(scores.length).toBeGreaterThan(3);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.at(-1)).toBeGreaterThan(0);
  });

  test("keeps the order of the tools among those that fit alike", () => {
    const alike = createToolIndex(["c", "a", "b"].map((name) => tool(name, "Paints a wall.")));
    expect(alike.search("paint", { limit: 2 }).map(({ name }) => name)).toEqual(["c", "a"]);
  });

  test("finds nothing among no tools", () => {
    expect(createToolIndex([]).search("anything")).toEqual([]);
  });

  test("answers any request about any tools, the same each time", () => {
    const schema = fc.jsonValue({ maxDepth: 3 }).map((value) => value as object);
    const some = fc.record({ name: fc.string(), description: fc.string({ unit: "binary" }), parameters: schema });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 8 }), fc.string({ unit: "binary" }), fc.nat(9), (any, query, limit) => {
        const definitions = any as unknown as readonly ToolDefinition[];
        const [one, other] = [createToolIndex(definitions), createToolIndex(definitions)];
        const asked = `${query} ${any[0]?.description ?? ""}`;
        expect(one.search(asked, { limit })).toEqual(other.search(asked, { limit }));
        expect(one.search(asked, { limit }).length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test("is the same made in slices, between which other work goes on", async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => tool(`tool_${at}`, `Paints wall ${at} in colour ${at % 7}.`));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    onTestFinished(() => clearImmediate(timer));
    const sliced = await createToolIndexInSlices([...tools, ...many]);
    expect(turns).toBeGreaterThan(0);
    const whole = createToolIndex([...tools, ...many]);
    for (const query of ["paint a wall", "open an issue", "colour 5", "zzz"])
      expect(sliced.search(query, { limit: 9 })).toEqual(whole.search(query, { limit: 9 }));
  });

  test("reads neither endless texts nor endless schemas", () => {
    const deep = JSON.parse(`${'{"properties":{"a":'.repeat(20_000)}{}${"}}".repeat(20_000)}`) as object;
    const long = createToolIndex([tool("long", "word ".repeat(1_000_000), { deep }), tool("short", "Speaks.")]);
    expect(long.search("talk ".repeat(1_000_000)).map(({ name }) => name)).toEqual([]);
    expect(long.search("word")[0]?.name).toBe("long");
  });

  test("refuses an option that there is not", () => {
    expect(() => index.search("word", { limits: 1 } as object)).toThrow('did you mean "limit"');
  });
});
