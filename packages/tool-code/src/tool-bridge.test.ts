import {
  createToolRegistry,
  createTranscript,
  defineTool,
  failure,
  success,
  type ToolEvent,
} from "@dispatch/tools-interface";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { DenoRuntime } from "./deno/index.ts";
import { registerCodeTool } from "./index.ts";

const runtime = new DenoRuntime();
afterAll(() => runtime.close());

const count = defineTool({
  name: "count",
  description: "Counts the letters of a text.",
  parameters: z.object({ text: z.string() }),
  output: z.object({ letters: z.number(), found: z.array(z.string()).optional() }),
  execute: ({ text }) =>
    success(`${text.length} letters`, { data: { letters: text.length, ...(text && { found: text.split("") }) } }),
});
const cold = defineTool({
  name: "bake-bread",
  description: "Bakes.",
  parameters: z.object({}),
  execute: () => failure("Baking: the oven is cold, heat it first", { code: "cold" }),
});

/** A registry with a tool that waits until `all` of its calls have arrived or it is aborted. */
function meeting(all: number) {
  const seen = { open: 0, most: 0, cancelled: 0 };
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const meet = defineTool({
    name: "meet",
    description: "Waits for the others.",
    parameters: z.object({ id: z.number() }),
    async execute({ id }, { signal }) {
      seen.open += 1;
      seen.most = Math.max(seen.most, seen.open);
      if (seen.open === all) release();
      await Promise.race([
        released,
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            seen.cancelled += 1;
            reject(new Error("stopped"));
          }),
        ),
      ]);
      seen.open -= 1;
      return `${id}`;
    },
  });
  return { seen, registry: registerCodeTool(createToolRegistry().register([meet, count, cold]), { runtime }) };
}

async function run(code: string, options = {}) {
  const result = await meeting(0).registry.dispatch(
    { id: "outer", name: "execute_code", arguments: { code } },
    options,
  );
  return result as typeof result & { readonly data?: { readonly value?: unknown } };
}

describe("toolBridge()", () => {
  test("gives a program what the tool's output schema promises, as plain JSON", async () => {
    const { data } = await run(
      "const { letters, found } = await count({ text: 'äb' });\nconst empty = await count({ text: '' });\nreturn [letters + 1, found?.join('-'), Object.getPrototypeOf(found) === Array.prototype, 'found' in empty];",
    );
    expect(data?.value).toEqual([3, "ä-b", true, false]);
  });

  test("throws a failure as an error that says which tool it was, why, and what to do", async () => {
    const { data } = await run(
      "try { await bake_bread({}) } catch (error) { return [error instanceof Error, error.name, error.tool, error.code, error.message, Object.keys(error)] }",
    );
    expect(data?.value).toEqual([
      true,
      "ToolError",
      "bake-bread",
      "cold",
      "Baking: the oven is cold, heat it first",
      [],
    ]);
  });

  test("tells by the code what was wrong with a call", async () => {
    const { data } = await run(
      "const code = (call) => call.then(() => 'none', (error) => error.code);\nreturn [await code(count({ text: 5 })), await code(__callTool__('nobody', {})), await code(__callTool__('execute_code', { code: '1' }))]",
    );
    expect(data?.value).toEqual(["invalid_params", "tool_not_found", "denied"]);
  });

  test.each(["nobody", "execute_cod", "execute_codes"])(
    "does not offer a program the tool that runs it: %s",
    async (name) => {
      const { data } = await run(`return __callTool__('${name}', {}).catch((error) => error.message)`);
      expect(data?.value).toContain("available tools are");
      expect(data?.value).toContain("count");
      expect(String(data?.value).replace(`tool "${name}"`, "")).not.toContain("execute_code");
    },
  );

  test("shows nested calls under the run, live and in the transcript", async () => {
    const transcript = createTranscript();
    const events: ToolEvent[] = [];
    await run("await count({ text: 'a' }); console.log('between'); await bake_bread({}).catch(() => 0)", {
      transcript,
      onEvent: (event: ToolEvent) => events.push(event),
    });
    expect(events.map(({ type, name, parentCallId }) => [type, name, parentCallId])).toEqual([
      ["call-start", "execute_code", undefined],
      ["call-start", "count", "outer"],
      ["call-end", "count", "outer"],
      ["call-progress", "execute_code", undefined],
      ["call-start", "bake-bread", "outer"],
      ["call-end", "bake-bread", "outer"],
      ["call-end", "execute_code", undefined],
    ]);
    expect(
      transcript.entries.map(({ name, parentCallId, arguments: sent, result }) => [
        name,
        parentCallId,
        name === "execute_code" || sent,
        result.success,
      ]),
    ).toEqual([
      ["execute_code", undefined, true, true],
      ["count", "outer", { text: "a" }, true],
      ["bake-bread", "outer", {}, false],
    ]);
  });

  test("runs calls at the same time", async () => {
    const { registry, seen } = meeting(10);
    const result = await registry.dispatch("execute_code", {
      code: "await Promise.all(Array.from({ length: 10 }, (_, id) => meet({ id })))",
    });
    expect(result).toMatchObject({ data: { value: Array.from({ length: 10 }, (_, id) => `${id}`) } });
    expect(seen).toEqual({ open: 0, most: 10, cancelled: 0 });
  });

  test("cancels a run's open calls with the run", async () => {
    const { registry, seen } = meeting(99);
    const controller = new AbortController();
    const running = registry.dispatch(
      {
        name: "execute_code",
        arguments: {
          code: "await Promise.allSettled([meet({ id: 1 }), meet({ id: 2 }), meet({ id: 3 })]); return 'end'",
        },
      },
      { signal: controller.signal },
    );
    await expect.poll(() => seen.open).toBe(3);
    controller.abort();
    const result = await running;
    expect(result).toMatchObject({ success: false, code: "cancelled" });
    await expect.poll(() => seen.cancelled).toBe(3);
  });

  test("cancels a call when the runtime says so, although the run goes on", async () => {
    const { registry, seen } = meeting(99);
    const result = await registerCodeTool(createToolRegistry().register(registry.get("meet")), {
      runtime: {
        async execute({ callTool }) {
          const controller = new AbortController();
          const call = callTool("meet", { id: 1 }, { signal: controller.signal });
          controller.abort();
          const value = await call.catch((error: Error) => error.message);
          return { ok: true, value, output: "", error: undefined, calls: [], durationMs: 0, truncated: false };
        },
        close: async () => undefined,
      },
    }).dispatch("execute_code", { code: "1" });
    expect(result.success).toBe(true);
    expect(String(result)).toContain("cancelled");
    expect(seen.open).toBeLessThanOrEqual(1);
  });
});
