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
