import { defineTool } from "@dispatch/tools-interface";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { withBrowser } from "./browser.ts";
import { chooseTool } from "./choose-tool.ts";
import { openInspectedAgent, type InspectedAgent } from "./inspected-agent.ts";

const { open } = withBrowser();
let inspected: InspectedAgent | undefined;
afterEach(() => inspected?.close());

/** A schema as a stranger's tool server may send it. */
const parameters = {
  type: "object",
  $defs: {
    place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    node: { type: "object", properties: { child: { $ref: "#/$defs/node" } } },
  },
  properties: {
    on: { type: "boolean", description: "Whether" },
    size: { enum: [1, 2, "three", null] },
    ratio: { type: "number", minimum: 0, maximum: 1 },
    numbers: { type: "array", items: { type: "integer" }, minItems: 1 },
    place: {
      type: "object",
      properties: {
        city: { type: "string" },
        spots: { type: "array", items: { type: "object", properties: { x: { type: "integer" } } } },
      },
      required: ["city"],
    },
    home: { $ref: "#/$defs/place" },
    loose: { anyOf: [{ type: "string" }, { type: "null" }] },
    listed: { type: ["string", "null"] },
    shape: {
      oneOf: [
        { type: "object", properties: { kind: { const: "circle" }, r: { type: "number" } }, required: ["kind", "r"] },
        { type: "object", properties: { kind: { const: "square" }, a: { type: "number" } }, required: ["kind", "a"] },
      ],
    },
    map: { type: "object", additionalProperties: { type: "number" } },
    any: true,
    code: { type: "string" },
    never: { type: "string" },
    tree: { $ref: "#/$defs/node" },
    "<b>name</b>": { type: "string", description: "<script>window.ran = 1</script>" },
  },
  required: ["on", "size", "numbers", "place"],
} as const;

/** Opens the form of a tool that records its arguments. */
async function openForm(
  schema: object = parameters,
): Promise<{ page: Page; complaints: readonly string[]; received: unknown[] }> {
  const received: unknown[] = [];
  inspected = await openInspectedAgent(() => ({}) as never);
  const tool = defineTool({
    name: "odd",
    description: "Takes anything.",
    parameters: schema as typeof parameters,
    execute: (params: unknown) => {
      received.push(params);
      return "taken";
    },
  });
  inspected.agent.toolbox.registry.register(tool);
  const opened = await open(inspected.url);
  await opened.page.getByRole("link", { name: "Tools" }).click();
  await chooseTool(opened.page, "odd");
  return { ...opened, received };
}

/** Fills in the least that the schema wants. */
async function fillRequired(page: Page): Promise<void> {
  await page.getByLabel("on required").selectOption("false");
  await page.getByLabel("size required").selectOption({ label: "three" });
  await page.getByLabel("numbers 1").fill("1");
  await page.getByLabel("city required").fill("Bergen");
}
const REQUIRED = { on: false, size: "three", numbers: [1], place: { city: "Bergen" } };

/** Objects that each need twelve of the same kind, and a union that leads twice to the next one. */
function exploding() {
  const names = Array.from({ length: 12 }, (_, at) => `f${at}`);
  const all = Object.fromEntries(names.map((name) => [name, { $ref: "#/$defs/node" }]));
  const $defs: Record<string, object> = {
    node: { type: "object", properties: all, required: names },
    u40: { const: 1 },
  };
  for (let at = 39; at >= 0; at -= 1) $defs[`u${at}`] = { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/u${at + 1}` })) };
  const properties = { node: { $ref: "#/$defs/node" }, union: { $ref: "#/$defs/u0" }, text: { type: "string" } };
  return { type: "object", properties, required: ["node", "text"], $defs };
}

describe("a form made from any schema", () => {
  test("has no more fields than a page can show, and takes the others as JSON", async () => {
    const { page, complaints } = await openForm(exploding());
    await page.getByLabel("text required").fill("still here");
    const count = await page.locator("form :is(input, textarea, select)").count();
    expect(count).toBeGreaterThan(12);
    expect(count).toBeLessThan(2_000);
    expect(complaints).toEqual([]);
  });

  test("sends nothing that was not filled in, and says what is missing", async () => {
    const { page, received, complaints } = await openForm();
    const run = page.getByRole("button", { name: "Run odd" });
    const results = page.getByRole("list", { name: "Results" }).locator(":scope > li");
    await run.click();
    await page.locator("select:focus:invalid").waitFor();
    await fillRequired(page);
    await page.getByLabel("city required").fill("");
    await run.click();
    await page.locator("input:focus:invalid").waitFor();
    expect(received).toEqual([]);
    await page.getByLabel("send empty").first().check();
    await run.click();
    await expect.poll(() => results.count()).toBe(1);
    expect(received).toEqual([{ ...REQUIRED, place: { city: "" } }]);
    await page.getByLabel("city required").fill("Bergen");
    await run.click();
    await expect.poll(() => results.count()).toBe(2);
    expect(received[1]).toEqual(REQUIRED);
    expect(complaints).toEqual([]);
  });

  test("sends optional objects, null, one kind of a union and empty texts when they are chosen", async () => {
    const { page, received, complaints } = await openForm();
    await fillRequired(page);
    await page.getByRole("button", { name: "Add to numbers" }).click();
    await page.getByLabel("numbers 2").fill("2");
    await page.getByRole("button", { name: "Add to numbers" }).click();
    await page.getByRole("button", { name: "Remove from numbers" }).last().click();
    await page.locator("fieldset summary", { hasText: "1 optional field" }).click();
    await page.getByRole("button", { name: "Add to spots" }).click();
    await page.getByLabel("x optional").fill("7");
    await page.locator("form > div > details > summary").click();
    await page.getByLabel("ratio").fill("0.5");
    await page.getByRole("button", { name: "Add home" }).click();
    await page.getByLabel("city required").last().fill("Oslo");
    await page.getByLabel("loose optional").selectOption({ label: "null" });
    await page.getByLabel("listed optional").selectOption({ label: "text" });
    await page.getByLabel("listed required").fill("here");
    await page.getByLabel("shape optional").selectOption({ label: "object: kind, a" });
    await page.getByLabel("a required").fill("3");
    await page.getByLabel("map").fill('{"a": 1}');
    await page.getByLabel("any").fill("[true, {}]");
    await page.getByLabel("<b>name</b>").fill("<i>");
    await page.getByRole("button", { name: "Run odd" }).click();
    await expect
      .poll(() => received)
      .toEqual([
        {
          ...REQUIRED,
          ratio: 0.5,
          numbers: [1, 2],
          place: { city: "Bergen", spots: [{ x: 7 }] },
          home: { city: "Oslo" },
          loose: null,
          listed: "here",
          shape: { kind: "square", a: 3 },
          map: { a: 1 },
          any: [true, {}],
          "<b>name</b>": "<i>",
        },
      ]);
    // An object that was added can be left out again.
    await page.getByRole("button", { name: "Leave out home" }).click();
    await page.getByRole("button", { name: "Run odd" }).click();
    await expect.poll(() => received.length).toBe(2);
    expect(received[1]).not.toHaveProperty("home");
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test("is the same arguments as fields and as JSON, there and back", async () => {
    const { page, received } = await openForm();
    const value = { ...REQUIRED, home: { city: "Oslo" }, loose: null, shape: { kind: "circle", r: 2 }, unknown: 1 };
    await page.getByRole("button", { name: "Write JSON" }).click();
    const raw = page.getByLabel("All arguments as JSON");
    await raw.fill("[1]");
    await page.getByRole("button", { name: "Back to the fields" }).click();
    await page.getByText("The fields hold an object").waitFor();
    await raw.fill(JSON.stringify(value));
    await page.getByRole("button", { name: "Back to the fields" }).click();
    expect(await page.getByLabel("city required").last().inputValue()).toBe("Oslo");
    await page.getByRole("button", { name: "Write JSON" }).click();
    expect(JSON.parse(await raw.inputValue())).toEqual(value);
    await page.getByRole("button", { name: "Run odd" }).click();
    await expect.poll(() => received).toEqual([value]);
  });

  test("shows the schema, folds optional fields, and gives a program room", async () => {
    const { page } = await openForm();
    expect(await page.getByLabel("ratio").isVisible()).toBe(false);
    await page.locator("#tool summary", { hasText: "Schema" }).click();
    expect(JSON.parse(await page.getByRole("group", { name: "Schema" }).innerText())).toEqual(parameters);
    await chooseTool(page, "execute_code");
    const box = await page.getByLabel("code required").boundingBox();
    expect(box?.height).toBeGreaterThan(300);
  });
});
