import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  DuplicateToolError,
  InvalidToolError,
  loadedTools,
  type AnyTool,
} from "../index.ts";

const tool = (name: string, description = `The tool ${name}.`): AnyTool =>
  defineTool({
    name,
    description,
    parameters: z.object({ city: z.string() }),
    execute: ({ city }) => `${name} ${city}`,
  });
const many = [
  tool("weather/forecast", "Temperature and rain of the next days. And more of it."),
  tool("find_flights", "Flights between two airports."),
  tool("book_hotel", "Books a room."),
];
const names = (tools: readonly { readonly name: string }[]): readonly string[] => tools.map(({ name }) => name);
const create = () => createToolRegistry().register(tool("always")).register(many, { defer: true });

describe("register() with defer", () => {
  test("tells models of the search tool and of the tools that are not deferred", () => {
    const registry = create();
    expect(names(registry.toModelTools())).toEqual(["search_tools", "always"]);
    expect(registry.searchTool?.annotations).toEqual({ readOnly: true, idempotent: true, openWorld: false });
    expect(registry.searchTool?.approval).toBe("never");
    expect(names(registry.toArray())).toEqual(["always", "weather/forecast", "find_flights", "book_hotel"]);
    expect(registry.offers.map(({ isDeferred }) => isDeferred)).toEqual([false, true, true, true]);
  });

  test("has no search tool while nothing is deferred", () => {
    const registry = createToolRegistry().register(tool("always"));
    expect([registry.searchTool, registry.has("search_tools")]).toEqual([undefined, false]);
    expect(names(registry.toModelTools())).toEqual(["always"]);
    registry.register(tool("later"), { defer: true });
    expect(names(registry.toModelTools())).toEqual(["search_tools", "always"]);
    expect(registry.get("search_tools")).toBe(registry.searchTool);
    expect(names(registry.without("later").toModelTools())).toEqual(["always"]);
    expect(names(createToolRegistry().extend(registry).toModelTools())).toEqual(["search_tools", "always"]);
  });

  test("appends what was found, once and in this order", () => {
    const loaded = ["book_hotel", "unknown", "always", "weather/forecast", "book_hotel"];
    const all = create().toModelTools({ loaded });
    expect(names(all)).toEqual(["search_tools", "always", "book_hotel", "weather_forecast"]);
    expect(JSON.stringify(all).startsWith(JSON.stringify(create().toModelTools()).slice(0, -1))).toBe(true);
  });

  test("keeps what goes out at rest when a deferred tool is registered later", () => {
    const registry = create();
    const before = JSON.stringify(registry.toModelTools());
    registry.register(tool("late"), { defer: true });
    expect(JSON.stringify(registry.toModelTools())).toBe(before);
  });

  test("defers everything that says nothing above the limit of the registry", () => {
    const above = createToolRegistry({ deferAboveTokens: 100 })
      .register(tool("always"), { defer: false })
      .register(many);
    expect(names(above.toModelTools())).toEqual(["search_tools", "always"]);
    const below = createToolRegistry({ deferAboveTokens: 1_000 })
      .register(many)
      .register(tool("rare"), { defer: true });
    expect(names(below.toModelTools())).toEqual(["search_tools", "weather_forecast", "find_flights", "book_hotel"]);
    expect(() => createToolRegistry({ deferAboveTokens: Number.NaN })).toThrow(RangeError);
    expect(() => createToolRegistry().register(many, { defer: "yes" as never })).toThrow(InvalidToolError);
  });

  test("changes the fingerprint, because a provider receives another definition", () => {
    const [one, other] = [create(), createToolRegistry().register(tool("always")).register(many)];
    expect(one.fingerprint).toBe(create().fingerprint);
    expect(one.fingerprint).not.toBe(other.fingerprint);
  });

  test("leaves tools of nobody and of programs alone out of search and models' lists", async () => {
    const registry = createToolRegistry()
      .register(tool("hidden_weather"), { defer: true, callers: [] })
      .register(tool("program_weather"), { defer: true, callers: ["program"] })
      .register(tool("weather"), { defer: true });
    expect(names(registry.toModelTools())).toEqual(["search_tools"]);
    const found = await registry.dispatch("search_tools" as string, { query: "weather" });
    expect(found).toMatchObject({ data: { tools: [{ name: "weather" }] } });
  });
});

describe("the search tool", () => {
  test("is dispatched and recorded like any tool", async () => {
    const [registry, transcript, events] = [create(), createTranscript(), [] as string[]];
    const call = { id: "1", name: "search_tools", arguments: '{"query":"will it rain"}' };
    const found = await registry.dispatch(call, { transcript, onEvent: ({ type }) => void events.push(type) });
    expect(found).toMatchObject({
      success: true,
      output:
        "Found, best first, to be called by these names:\nweather_forecast: Temperature and rain of the next days.",
      data: { tools: [{ name: "weather/forecast", description: "Temperature and rain of the next days." }] },
    });
    expect(transcript.entries).toHaveLength(1);
    expect(events).toEqual(["call-start", "call-end"]);
  });

  test("says so when nothing fits, and answers a call that does not fit", async () => {
    const registry = create();
    const none = await registry.dispatch("search_tools" as string, { query: "zzz" });
    expect(none).toMatchObject({ success: true, output: expect.stringContaining("No tool fits"), data: { tools: [] } });
    expect(await registry.dispatch("search_tools" as string, { limit: 0 })).toMatchObject({ code: "invalid_params" });
    const repaired = await registry.dispatch("search_tools" as string, { Query: "rain", limit: "2" });
    expect(repaired.success).toBe(true);
  });

  test("finds a tool that was registered after the first search", async () => {
    const registry = create();
    await registry.dispatch("search_tools" as string, { query: "hotel" });
    registry.register(tool("texts/translate", "Translates a text."), { defer: true });
    const found = await registry.dispatch("search_tools" as string, { query: "translate" });
    expect(found).toMatchObject({ data: { tools: [{ name: "texts/translate" }] } });
    expect(String(found)).toContain("\ntexts_translate: ");
  });

  test("is not for programs", async () => {
    const call = { name: "search_tools", caller: "program", params: { query: "rain" } } as const;
    expect(await create().dispatch(call)).toMatchObject({ code: "caller_not_allowed" });
  });

  test("leaves its name to a tool that had it, and gives it to none afterwards", async () => {
    const first = createToolRegistry().register(tool("search_tools")).register(many, { defer: true });
    expect(names(first.toModelTools())).toEqual(["search_tools_2", "search_tools"]);
    expect(String(await first.dispatch({ name: "search_tools", params: { city: "Oslo" } }))).toBe("search_tools Oslo");
    const second = create();
    second.toModelTools();
    expect(() => second.register(tool("search_tools"))).toThrow(DuplicateToolError);
  });
});

describe("a deferred tool that was not found", () => {
  test("runs when it is called", async () => {
    const registry = create();
    expect(String(await registry.dispatch({ name: "weather_forecast", params: { city: "Oslo" } }))).toBe(
      "weather/forecast Oslo",
    );
    expect(await registry.dispatch({ name: "book_hotel", params: {} })).toMatchObject({ code: "invalid_params" });
  });
});

describe("the answer to an unknown tool", () => {
  test("names the tools that were offered, and a near one that was not found yet", async () => {
    const answer = await create().dispatch({ name: "weather_forcast" });
    expect(String(answer)).toBe(
      'Cannot find tool "weather_forcast": did you mean weather_forecast? The available tools are search_tools, always. Call one of these instead',
    );
    expect(String(await create().dispatch({ name: "zzz" }))).toBe(
      'Cannot find tool "zzz": no tool has that name. The available tools are search_tools, always. Call one of these instead',
    );
    expect(await create().dispatch({ name: "weather_forecast", params: { city: "x" } })).toMatchObject({
      success: true,
    });
  });
});

describe("loadedTools()", () => {
  test("answers what the searches of a transcript found, in the order found, also when it was stored", async () => {
    const [registry, transcript] = [create(), createTranscript()];
    for (const query of ["a room", "rain", "flights and a room", "zzz"])
      await registry.dispatch({ name: "search_tools", params: { query } }, { transcript });
    await registry.dispatch({ name: "always", params: { city: "x" } }, { transcript });
    const found = ["book_hotel", "weather/forecast", "find_flights"];
    expect(loadedTools(registry, transcript.entries)).toEqual(found);
    const stored = JSON.parse(JSON.stringify(transcript.entries)) as typeof transcript.entries;
    expect(loadedTools(create(), stored)).toEqual(found);
  });

  test("reads whatever was stored", () => {
    const data = { tools: [{ name: "book_hotel" }, null, "x", [], {}] };
    const results = [
      null,
      undefined,
      5,
      "x",
      [],
      {},
      { success: true },
      { success: true, data: null },
      { success: true, data: { tools: null } },
      { success: 1, data },
      { success: false, data },
      { success: true, data },
    ];
    const entries = [
      null,
      undefined,
      7,
      ...results.map((result) => ({ name: "search_tools", result, parentCallId: null })),
    ];
    expect(loadedTools(create(), entries as never)).toEqual(["book_hotel"]);
  });

  test("takes no other tool's word for it", () => {
    const result = { success: true, output: "", data: { tools: [{ name: "book_hotel" }, 5, { name: 7 }] } } as never;
    const registry = create();
    expect(loadedTools(registry, [{ name: "always", result }])).toEqual([]);
    expect(loadedTools(registry, [{ name: "search_tools", result, parentCallId: "1" }])).toEqual([]);
    expect(loadedTools(registry, [{ name: "search_tools", result }])).toEqual(["book_hotel"]);
    expect(loadedTools(createToolRegistry(), [{ name: "search_tools", result }])).toEqual([]);
  });
});
