import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createOutputArchive } from "../define/output-archive.ts";
import { createToolRegistry, defineTool, failure, success, type RegistryOptions } from "../index.ts";

const answering = (answer: unknown, maxOutputChars?: number) =>
  defineTool({
    name: "dump",
    description: "Dumps.",
    parameters: z.object({}),
    ...(maxOutputChars !== undefined && { maxOutputChars }),
    execute: () => answer,
  });
const dump = (answer: unknown, options: RegistryOptions = {}, ofTool?: number, ofCall?: number) =>
  createToolRegistry(options)
    .register(answering(answer, ofTool))
    .dispatch({ id: "c1", name: "dump" }, ofCall === undefined ? {} : { maxOutputChars: ofCall });
const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} of the log`).join("\n");

describe("maxOutputChars", () => {
  test("cuts text at a line and says how much there was", async () => {
    const result = await dump(lines, { maxOutputChars: 1_000 });
    const text = String(result);
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text).toMatch(/line \d+ of the log\n\[cut: 103889 characters, of which at most 1000 are shown/);
    expect(result).toMatchObject({ success: true, data: lines });
  });

  test("is 100,000 by default, and the smallest of tool, registry and call", async () => {
    expect(String(await dump("x".repeat(1_000_000))).length).toBeLessThanOrEqual(100_000);
    expect(String(await dump(lines, { maxOutputChars: 2_000 }, 900, 1_500)).length).toBeLessThanOrEqual(900);
    expect(String(await dump(lines, { maxOutputChars: 700 }, 900, 1_500)).length).toBeLessThanOrEqual(700);
    expect(String(await dump(lines, { maxOutputChars: 2_000 }, 900, 500)).length).toBeLessThanOrEqual(500);
  });

  test("leaves what fits as it is", async () => {
    expect(String(await dump("short"))).toBe("short");
  });

  test("keeps JSON JSON, says at each place what is missing, and leaves the data whole", async () => {
    const data = { rows: Array.from({ length: 9_000 }, (_, id) => ({ id, name: `row ${id}` })), total: 9_000 };
    const result = await dump(data, { maxOutputChars: 2_000 });
    const shown = JSON.parse(String(result)) as { rows: unknown[]; total: number; "…note": string };
    expect(String(result).length).toBeLessThanOrEqual(2_000);
    expect(shown.rows[0]).toEqual({ id: 0, name: "row 0" });
    expect(shown.rows.at(-1)).toMatch(/^… \(\d+ more items\)$/);
    expect(shown.total).toBe(9_000);
    expect(shown["…note"]).toContain("at most 2000 are shown");
    expect(result).toMatchObject({ data });
  });

  test("cuts long texts inside JSON, never at half a character", async () => {
    const shown = JSON.parse(String(await dump({ text: "😀".repeat(5_000) }, { maxOutputChars: 999 }))) as {
      text: string;
    };
    expect(shown.text).toMatch(/more characters\)$/);
    expect(shown.text.isWellFormed()).toBe(true);
  });

  test("stays JSON and within the limit, whatever the value", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 300, max: 900 }), async (value, limit) => {
        const wide = { value, filler: Array.from({ length: 50 }, () => value) };
        const text = String(await dump(wide, { maxOutputChars: limit }));
        if (JSON.stringify(wide).length <= limit) expect(text).toBe(JSON.stringify(wide));
        else {
          expect(text.length).toBeLessThanOrEqual(limit);
          JSON.parse(text);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("limits failures and text parts too, and leaves images", async () => {
    expect(String(await dump(failure("e".repeat(9_000)), { maxOutputChars: 400 })).length).toBeLessThanOrEqual(400);
    const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
    const content = [{ type: "text", text: lines }, image, { type: "text", text: lines }] as const;
    const result = await dump(success("two logs", { content }), { maxOutputChars: 500 });
    expect(result).toMatchObject({ output: "two logs", content: [{ type: "text" }, image] });
    expect(JSON.stringify(result).length).toBeLessThan(1_200);
  });

  test.each([1, 5, 12, 40, 60, 94, 120, 200])("never shows more than %d characters", async (limit) => {
    const content = [lines, "short", lines].map((text) => ({ type: "text", text }) as const);
    const answers = [lines, failure(lines), { lines }, success("all", { content })];
    for (const answer of answers) {
      const result = await dump(answer, { maxOutputChars: limit });
      expect(String(result).length).toBeLessThanOrEqual(limit);
      const parts = (result.success && result.content) || [];
      const shown = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      expect(shown.length).toBeLessThanOrEqual(limit);
      if (limit >= 12) expect(shown || String(result)).toMatch(/cut/);
    }
  });

  test("says so when a part is left out because those before it just fit", async () => {
    const content = ["x".repeat(500), "y".repeat(10)].map((text) => ({ type: "text", text }) as const);
    const result = await dump(success("two", { content }), { maxOutputChars: 500 });
    expect(JSON.stringify(result.success && result.content)).toContain("cut: 511 characters");
  });

  test("refuses a limit that is none", () => {
    expect(() => createToolRegistry({ maxOutputChars: 0 })).toThrow(RangeError);
    expect(() => answering("", Number.NaN)).toThrow("maxOutputChars is NaN, allowed are 1 or more");
  });
});

describe("createOutputArchive()", () => {
  test("gives back what was cut, page by page", async () => {
    const archive = createOutputArchive({ pageChars: 60_000 });
    const registry = createToolRegistry({ maxOutputChars: 1_000, keepOutput: archive.keep }).register([
      answering(lines),
      archive.tool,
    ]);
    const cut = await registry.dispatch({ id: "c9", name: "dump" });
    expect(String(cut)).toContain('Read all of it with read_output {"call_id":"c9","offset":0}');
    const whole = createToolRegistry({ keepOutput: archive.keep }).register(archive.tool);
    let text = "";
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page: string = String(await whole.dispatch("read_output", { call_id: "c9", offset }));
      const [, body = "", end = ""]: readonly string[] =
        /^(.*)\n\[characters \d+ to \d+ of \d+: (.*)\]$/s.exec(page) ?? [];
      text += body;
      offset = end.startsWith("read on") ? Number(end.split(" ").at(-1)) : undefined;
    }
    expect(text).toBe(lines);
  });

  test("keeps output and parts of one result side by side, and texts of calls that repeat an id", async () => {
    const archive = createOutputArchive();
    const content = [{ type: "text", text: `parts ${lines}` }] as const;
    const result = await dump(success(`output ${lines}`, { content }), {
      maxOutputChars: 1_000,
      keepOutput: archive.keep,
    });
    expect(String(result)).toContain('{"call_id":"c1","offset":0}');
    expect(JSON.stringify(result)).toContain(String.raw`{\"call_id\":\"c1#2\",\"offset\":0}`);
    expect(String(await archive.tool.call({ call_id: "c1" }))).toMatch(/^output line 0/);
    expect(String(await archive.tool.call({ call_id: "c1#2" }))).toMatch(/^parts line 0/);
    archive.keep({ callId: "c1", name: "dump", text: lines });
    expect(String(await archive.tool.call({ call_id: "c1#3" }))).toMatch(/^line 0/);
  });

  test("says what it has when asked for something else, and drops the oldest when it is full", async () => {
    const archive = createOutputArchive({ maxChars: 250_000 });
    for (const callId of ["a", "b", "c"]) archive.keep({ callId, name: "dump", text: lines });
    expect(await archive.tool.call({ call_id: "c" })).toMatchObject({ success: true });
    const gone = await archive.tool.call({ call_id: "a" });
    expect(gone).toMatchObject({ code: "output_not_kept" });
    expect(String(gone)).toContain('Kept are "b", "c"');
    expect(archive.keep({ callId: "d", name: "dump", text: "x".repeat(300_000) })).toBeUndefined();
  });

  test("is no reason for a call to fail when it throws", async () => {
    const keepOutput = (): never => {
      throw new Error("disk full");
    };
    expect(String(await dump(lines, { maxOutputChars: 500, keepOutput }))).toContain("Ask for less at a time");
  });
});
