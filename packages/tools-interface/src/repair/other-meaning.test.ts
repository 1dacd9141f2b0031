import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool } from "../index.ts";

async function call(missing: string, sent: string) {
  const tool = defineTool({
    name: "act",
    description: "Acts.",
    parameters: z.strictObject({ [missing]: z.string() }),
    execute: (params) => Object.entries(params).join(),
  });
  return createToolRegistry()
    .register(tool)
    .dispatch({ name: "act", arguments: { [sent]: "v" } });
}

const others: readonly (readonly [string, string])[] = [
  ["exclude", "include"],
  ["import_path", "export_path"],
  ["encode", "decode"],
  ["increase", "decrease"],
  ["attach", "detach"],
  ["active", "inactive"],
  ["is_active", "inactive"],
  ["read", "unread"],
  ["non_recursive", "recursive"],
  ["no_cache", "cache"],
  ["excludePath", "path"],
  ["old_name", "name"],
  ["min_size", "max_size"],
  ["minLength", "maxLength"],
  ["send_at", "end_at"],
  ["sync", "async"],
  ["end_date", "date"],
  ["parent_id", "id"],
  ["line1", "line2"],
  ["timeout_s", "timeout_ms"],
  ["timeout", "timeout_ms"],
  ["temp_c", "temp_f"],
  ["amount", "amount_cents"],
  ["page", "page_size"],
  ["content", "content_type"],
];

describe("repair() renames no field to one that may mean another thing", () => {
  test.each(others.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))(
    "%s for %s",
    async (sent, missing) => {
      const result = await call(missing, sent);
      expect(result).toMatchObject({ success: false, code: "invalid_params", repairs: [] });
      expect(String(result)).not.toMatch(/did you mean|rename/);
    },
  );
});

describe("what is near and may mean another thing is not advised", () => {
  const run = (name: string, parameters: z.ZodType, params: object) =>
    createToolRegistry()
      .register(defineTool({ name, description: "Acts.", parameters: parameters as z.ZodObject, execute: () => "" }))
      .dispatch({ name: "act", arguments: params });

  test.each(others)(
    "%s for %s, as a value, an optional field, a tool, or a field that was passed over",
    async (one, other) => {
      const listed = await run("act", z.object({ mode: z.enum([other, "zzzzzz"]) }), { mode: one });
      expect(String(listed)).toMatch(/^Cannot call act(?!.*did you mean)/s);
      const optional = await run("act", z.strictObject({ [other]: z.string().optional() }), { [one]: "v" });
      expect(String(optional)).toMatch(/^Cannot call act(?!.*rename)/s);
      const passed = await run("act", z.object({ [other]: z.string().optional() }), { [one]: "v" });
      expect(passed).toMatchObject({ success: true, ignored: [{ path: [one] }] });
      expect(passed.ignored[0]).not.toHaveProperty("meant");
      const unknown = await createToolRegistry()
        .register(defineTool({ name: other, description: "Acts.", parameters: z.object({}), execute: () => "" }))
        .dispatch({ name: one, arguments: {} });
      expect(String(unknown)).toMatch(/no tool has that name/);
    },
  );
});

describe("repair() renames a field with a slip", () => {
  const slips = [
    ["includ", "include"],
    ["exclde", "exclude"],
    ["filepth", "file_path"],
    ["descripton", "description"],
    ["uqery", "query"],
    ["ontent", "content"],
    ["to_atitude", "to_latitude"],
    ["timout_ms", "timeout_ms"],
    ["max_result", "max_results"],
    ["user", "user_id"],
    ["image", "image_url"],
  ] as const;
  test.each(slips)("%s for %s", async (sent, missing) => {
    expect(String(await call(missing, sent))).toBe(`${missing},v`);
  });
});

test("a name is the same name whether its accents are characters of their own or not", async () => {
  const result = await call("größe", "Größe".normalize("NFD"));
  expect(result).toMatchObject({ success: true, repairs: [{ kind: "key_renamed" }] });
  expect(String(result)).toContain("größe,v");
  expect(await call("große", "größe")).toMatchObject({ success: false });
});
