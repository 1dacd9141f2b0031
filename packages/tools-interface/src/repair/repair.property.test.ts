import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool, isToolResult } from "../index.ts";

const parameters = z.object({
  file_path: z.string(),
  line_count: z.number(),
  is_deep: z.boolean(),
  tag_list: z.array(z.string()),
  point: z.object({ x_axis: z.number(), label: z.string().optional() }),
  note: z.string().optional(),
});
type Params = z.infer<typeof parameters>;
const received: unknown[] = [];
const mirror = defineTool({
  name: "mirror",
  description: "Keeps what it is given.",
  parameters,
  execute(params) {
    received.push(params);
    return "ran";
  },
});
const registry = createToolRegistry().register(mirror);

/** JSON has no minus zero. */
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("3", "true", "null", "[1]", '{"a":1}', ""),
);
const params: fc.Arbitrary<Params> = fc
  .record(
    {
      file_path: text,
      line_count: number,
      is_deep: fc.boolean(),
      tag_list: fc.array(text, { maxLength: 4 }),
      point: fc.record({ x_axis: number, label: text }, { requiredKeys: ["x_axis"] }),
      note: text,
    },
    { requiredKeys: ["file_path", "line_count", "is_deep", "tag_list", "point"] },
  )
  .map((value) => value as Params);

test("dispatch() reports no repair of valid parameters and passes exactly these", async () => {
  await fc.assert(
    fc.asyncProperty(params, fc.boolean(), async (valid, asText) => {
      received.length = 0;
      const result = await registry.dispatch({ name: "mirror", arguments: asText ? JSON.stringify(valid) : valid });
      expect(result).toMatchObject({ success: true, repairs: [] });
      expect(received).toEqual([valid]);
    }),
    { numRuns: 1_000 },
  );
});

type Damaged = Record<string, unknown>;
const camel = (key: string): string => key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const renamed = (sent: Damaged, key: string): Damaged =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name === key ? camel(key) : name, value]));

/** Damages of parameters; each leaves only one way back. */
const damages: readonly ((sent: Damaged, valid: Params) => Damaged)[] = [
  (sent, { line_count }) => ({ ...sent, line_count: String(line_count) }),
  (sent, { is_deep }) => ({ ...sent, is_deep: String(is_deep) }),
  (sent, { tag_list }) => ({ ...sent, tag_list: JSON.stringify(tag_list) }),
  (sent, { point }) => ({ ...sent, point: JSON.stringify(point) }),
  (sent, { point }) => ({ ...sent, point: JSON.stringify({ ...point, x_axis: String(point.x_axis) }) }),
  (sent, { note }) => (note === undefined ? { ...sent, note: null } : sent),
  (sent) => renamed(sent, "line_count"),
  (sent) => renamed(sent, "tag_list"),
  (sent) => renamed(sent, "file_path"),
];
/** Damages of the text around them. */
const wrappings: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => `\`\`\`json\n${json}\n\`\`\``,
  (json) => `<tool_call>\n${json}\n</tool_call>`,
  (json) => json.replace(/\}$/, ",}"),
  (json) => json.replace(/\}$/, " /* done */ }"),
  (json) => JSON.stringify(json),
  (json) => JSON.stringify(JSON.stringify(json)),
];

test("dispatch() gives back what was there before it was damaged, and lists what it did", async () => {
  const chosen = fc.subarray([...damages], { minLength: 0 });
  await fc.assert(
    fc.asyncProperty(params, chosen, fc.constantFrom(...wrappings), async (valid, done, wrap) => {
      received.length = 0;
      let sent: Damaged = { ...valid };
      for (const damage of done) sent = damage(sent, valid);
      const json = JSON.stringify(sent);
      const result = await registry.dispatch({ name: "mirror", arguments: wrap(json) });
      expect(result.success ? "" : result.error).toBe("");
      expect(received).toEqual([valid]);
      const isDamaged = wrap(json) !== json || json !== JSON.stringify(valid);
      expect(result.repairs.length > 0).toBe(isDamaged);
    }),
    { numRuns: 1_000 },
  );
});

test("dispatch() never runs a tool on a part of a value that was cut off", async () => {
  await fc.assert(
    fc.asyncProperty(params, fc.nat(), async (valid, at) => {
      received.length = 0;
      const json = JSON.stringify(valid);
      const sent = json.slice(0, 1 + (at % json.length));
      await registry.dispatch({ name: "mirror", arguments: sent });
      for (const ran of received as Params[]) {
        expect(json.slice(sent.length)).toMatch(/^(?:[}\],]|$)/);
        const { tag_list, ...others } = ran;
        expect(tag_list).toEqual(valid.tag_list.slice(0, tag_list.length));
        expect(valid).toMatchObject(others);
      }
    }),
    { numRuns: 3_000 },
  );
});

test("dispatch() answers any text and any value, without running the tool on what is no object", async () => {
  const fragments = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    ",",
    ":",
    "\\",
    "//",
    "/*",
    "*/",
    "```",
    "1",
    "true",
    "a",
    " ",
    "\n",
  );
  const broken = fc
    .array(fc.oneof(fragments, fc.constantFrom("file_path", "line_count")), { maxLength: 40 })
    .map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(fc.oneof(broken, fc.string(), fc.anything()), async (sent) => {
      received.length = 0;
      const result = await registry.dispatch({ name: "mirror", arguments: sent });
      expect(isToolResult(result)).toBe(true);
      expect(() => JSON.stringify(result)).not.toThrow();
      if (!result.success && result.code !== "tool_not_found") expect(result.error.length).toBeLessThanOrEqual(1_200);
      for (const ran of received) expect(() => parameters.parse(ran)).not.toThrow();
    }),
    { numRuns: 2_000 },
  );
});
