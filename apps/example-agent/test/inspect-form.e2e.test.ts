import { defineTool } from "@dispatch/tools-interface";
import { afterEach, expect, test } from "vitest";
import { withBrowser } from "./browser.ts";
import { openInspectedAgent, type InspectedAgent } from "./inspected-agent.ts";

const { open } = withBrowser();
let inspected: InspectedAgent | undefined;
afterEach(() => inspected?.close());

/** A schema as a stranger's tool server may send it. */
const parameters = {
  type: "object",
  properties: {
    on: { type: "boolean", description: "Whether" },
    size: { enum: [1, 2, "three", null] },
    ratio: { type: "number", minimum: 0, maximum: 1 },
    numbers: { type: "array", items: { type: "integer" } },
    place: {
      type: "object",
      properties: {
        city: { type: "string" },
        spots: { type: "array", items: { type: "object", properties: { x: { type: "integer" } } } },
      },
      required: ["city"],
    },
    loose: { anyOf: [{ type: "string" }, { type: "null" }] },
    map: { type: "object", additionalProperties: { type: "number" } },
    any: true,
    never: { type: "string" },
    "<b>name</b>": { type: "string", description: "<script>window.ran = 1</script>" },
  },
  required: ["on", "size", "numbers", "place"],
} as const;

test("a form made from any schema sends what was filled in, and nothing that was left out", async () => {
  const received: unknown[] = [];
  inspected = await openInspectedAgent(() => ({}) as never);
  const tool = defineTool({
    name: "odd",
    description: "Takes anything.",
    parameters,
    execute: (params: unknown) => {
      received.push(params);
      return "taken";
    },
  });
  inspected.agent.toolbox.registry.register(tool);
  const { page, complaints } = await open(inspected.url);
  await page.getByRole("link", { name: "Tools" }).click();
  await page.locator("#tool-list").getByRole("button", { name: "odd" }).click();
  const run = page.getByRole("button", { name: "Run odd" });
  await run.click();
  await page.locator("select:invalid").first().waitFor();
  expect(received).toEqual([]);

  await page.getByLabel("on needed").selectOption("false");
  await page.getByLabel("size needed").selectOption({ label: "three" });
  await page.getByLabel("ratio").fill("0.5");
  await page.getByLabel("numbers 1").fill("1");
  await page.getByRole("button", { name: "Add to numbers" }).click();
  await page.getByLabel("numbers 2").fill("2");
  await page.getByRole("button", { name: "Add to numbers" }).click();
  await page.getByRole("button", { name: "Remove from numbers" }).last().click();
  await page.getByLabel("city needed").fill("Bergen");
  await page.getByRole("button", { name: "Add to spots" }).click();
  await page.getByLabel("x may be left out").fill("7");
  await page.getByLabel("loose").fill("null");
  await page.getByLabel("map").fill('{"a": 1}');
  await page.getByLabel("any").fill("[true, {}]");
  await page.getByLabel("<b>name</b>").fill("<i>");
  await run.click();
  await page.getByRole("list", { name: "What came of it" }).getByText("taken").first().waitFor();
  expect(received).toEqual([
    {
      on: false,
      size: "three",
      ratio: 0.5,
      numbers: [1, 2],
      place: { city: "Bergen", spots: [{ x: 7 }] },
      loose: null,
      map: { a: 1 },
      any: [true, {}],
      "<b>name</b>": "<i>",
    },
  ]);
  expect(await page.evaluate("window.ran")).toBeUndefined();
  expect(complaints).toEqual([]);
});
