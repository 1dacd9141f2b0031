import { createToolRegistry, createTranscript, defineTool, type AnyToolRegistry } from "@dispatch/tools-interface";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { DenoRuntime } from "./deno/index.ts";
import { createCodeTool, registerCodeTool } from "./index.ts";

const runtime = new DenoRuntime();
afterAll(() => runtime.close());

const tool = (name: string, description = `Does ${name}.`) =>
  defineTool({
    name,
    description,
    parameters: z.object({ city: z.string().describe("Where") }),
    execute: () => "done",
  });
const run = (registry: AnyToolRegistry, code: string, more = {}) =>
  registry.dispatch({ name: "execute_code", arguments: { code } }, more);
/** One dot, white. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";

describe("describeTool() in a program", () => {
  test("is named when declarations are left out, and prints them", async () => {
    const tools = Array.from({ length: 40 }, (_, at) => tool(`look_${at}`));
    const registry = registerCodeTool(createToolRegistry().register(tools), {
      runtime,
      limits: { declarationChars: 2_000 },
    });
    const { description } = registry.get("execute_code");
    expect(description.length).toBeLessThan(3_000);
    expect(description).toContain('For all of one print await describeTool("name")');
    const { data } = (await run(registry, "return await describeTool('look_39')")) as { data?: { value: string } };
    expect(data?.value).toBe(registry.generateStub("look_39", { declarations: true }));
  });

  test("is no tool call: no entry, no event, and not in the list of calls", async () => {
    const transcript = createTranscript();
    const registry = registerCodeTool(createToolRegistry().register(tool("look")), { runtime });
    const events: string[] = [];
    const result = await run(
      registry,
      "await describeTool('look'); await look({ city: 'x' }); return await describeTool()",
      {
        transcript,
        onEvent: ({ name }: { name: string }) => events.push(name),
      },
    );
    expect(result).toMatchObject({ success: true, data: { calls: [{ name: "look" }] } });
    expect(transcript.entries.map(({ name }) => name)).toEqual(["execute_code", "look"]);
    expect(new Set(events)).toEqual(new Set(["execute_code", "look"]));
  });

  test("leaves its name to a tool that has it", async () => {
    const registry = registerCodeTool(createToolRegistry().register([tool("describeTool"), tool("look")]), {
      runtime,
      limits: { declarationChars: 60 },
    });
    expect(registry.get("execute_code").description).toContain('print await describeTool2("name")');
    expect((await run(registry, "return await describeTool({ city: 'x' })")).toString()).toBe("Returned: done");
    expect((await run(registry, "return await describeTool2('look')")).toString()).toContain("declare function look(");
  });

  test("fails with what there is, as an error of the program's own line", async () => {
    const registry = registerCodeTool(createToolRegistry().register(tool("look")), { runtime });
    expect((await run(registry, "\nawait describeTool('zzz')")).toString()).toMatch(
      /^Running the program failed \(tool\) at main\.ts:2:7: Describing "zzz": there is no such function, allowed are look\. Call it without a name/,
    );
  });
});

describe("the output of a program that is too long to show", () => {
  const cut = createCodeTool({ runtime, limits: { textChars: 100 } });
  const asked = /await readOutput\("([0-9a-f]{16})"\)/;

  test("is shown without its middle, and read by a later program", async () => {
    const code = "console.log('a'.repeat(500)); return { z: 'z'.repeat(30) }";
    const text = (await cut.call({ code })).toString();
    expect(text).toMatch(
      /^a{32}\n\[448 characters left out here\. Filter it in another program: const \{ printed, returned \} = await readOutput\("[0-9a-f]{16}"\)\]\na{20}\nReturned: \{"z":"z{30}"\}$/,
    );
    const read = await cut.call({
      code: `const { printed, returned } = await readOutput("${asked.exec(text)?.[1]}"); return [printed.length, returned.z.length]`,
    });
    expect(read.toString()).toBe("Returned: [501,30]");
  });

  test("is kept of a failure too", async () => {
    const text = (await cut.call({ code: "console.log('a'.repeat(500)); throw new Error('x')" })).toString();
    const read = await cut.call({ code: `(await readOutput("${asked.exec(text)?.[1]}")).printed.length` });
    expect(read.toString()).toBe("Returned: 501");
  });

  test.each(["'0123456789abcdef'", "'__proto__'", "{}", ""])("is read by nothing but its id: %s", async (id) => {
    expect((await cut.call({ code: `await readOutput(${id})` })).toString()).toContain("there is none of that id");
  });

  test("is not there for another tool", async () => {
    const text = (await cut.call({ code: "'a'.repeat(500)" })).toString();
    const other = createCodeTool({ runtime });
    expect((await other.call({ code: `await readOutput("${asked.exec(text)?.[1]}")` })).success).toBe(false);
  });
});

describe("images of a program", () => {
  const show = createCodeTool({ runtime });
  const image = { type: "image", mimeType: "image/png", data: PNG };

  test("are content of the result when they are returned, anywhere in the value", async () => {
    expect(await show.call({ code: `({ name: "dot", shots: [${JSON.stringify(image)}] })` })).toMatchObject({
      output: 'Returned: {"name":"dot","shots":["[image 1: image/png, 72 bytes]"]}',
      data: { value: { name: "dot", shots: ["[image 1: image/png, 72 bytes]"] } },
      content: [{ type: "text", text: expect.stringContaining("image 1") }, image],
    });
  });

  test("are content of the result when they are shown", async () => {
    const code = `console.log(await showImage(${JSON.stringify(image)}));`;
    expect(await show.call({ code })).toMatchObject({
      output: "[image 1: image/png, 72 bytes]",
      content: [{ type: "text" }, image],
      data: { calls: [] },
    });
  });

  test("that are none fail where they are shown, with what is allowed", async () => {
    const failed = await show.call({ code: "await showImage({ type: 'image', mimeType: 'image/svg+xml', data: '' })" });
    expect(failed.toString()).toContain('its mimeType is "image/svg+xml", allowed are image/png, image/jpeg');
    expect((await show.call({ code: "1" })).success).toBe(true);
  });
});

describe("the console of a program", () => {
  test("is shown in the order it was written, whatever the method", async () => {
    const code = `console.log("log"); console.error("error"); console.info("info"); console.warn("warn %s", 1);
      console.debug("debug"); console.table([{ a: 1 }]); console.dir({ b: 2 }); console.log("end"); return 3`;
    const text = (await createCodeTool({ runtime }).call({ code })).toString();
    expect(text.replaceAll(/[│┌─┬┐├┼┤└┴┘ ]+/g, " ").split(/\s*\n\s*/)).toEqual([
      "log",
      "error",
      "info",
      "warn 1",
      "debug",
      "(idx) a",
      "0 1",
      "{ b: 2 }",
      "end",
      "Returned: 3",
    ]);
  });
});
