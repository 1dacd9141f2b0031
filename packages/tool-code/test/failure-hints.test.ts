import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { DenoRuntime } from "../src/deno/index.ts";
import { registerCodeTool } from "../src/index.ts";
import { QuickJsRuntime } from "../src/quickjs/index.ts";

const tools = createToolRegistry().register([
  defineTool({
    name: "get_weather",
    description: "Tells the temperature.",
    parameters: z.object({ city: z.string() }),
    output: z.object({ celsius: z.number() }),
    execute: ({ city }) => ({ celsius: city.length }),
  }),
  defineTool({
    name: "circle",
    description: "Returns a circle.",
    parameters: z.object({}),
    execute: () => {
      const circle: Record<string, unknown> = {};
      circle["self"] = circle;
      return circle;
    },
  }),
]);

/** What models write, and what helps them to go on. */
const programs: readonly (readonly [what: string, code: string, helped: RegExp])[] = [
  [
    "a field of a promise",
    "const w = get_weather({ city: 'a' });\nreturn { c: w.celsius };",
    /main\.ts:2.*\(await get_weather\(…\)\)\.celsius/,
  ],
  [
    "a method of a promise",
    "return tools.get_weather({ city: 'a' }).map((x) => x);",
    /\.map was read before it was awaited/,
  ],
  ["a promise in a text", "return `It is ${get_weather({ city: 'a' })}`;", /was read before it was awaited/],
  ["a promise that is spread", "return [...get_weather({ city: 'a' })];", /was read before it was awaited/],
  [
    "a function of the host that is not awaited",
    "return describeTool('a').length;",
    /describeTool\(…\)\.length was read before it was awaited/,
  ],
  ["a function in another case", "return await getWeather({ city: 'a' });", /did you mean get_weather\?/],
  ["a function with an edit", "return await get_wether({ city: 'a' });", /did you mean get_weather\?/],
  [
    "a function that is far from all",
    "return await send_mail({ to: 'a' });",
    /no function send_mail\. The functions are get_weather, circle/,
  ],
  [
    "a shell",
    "const { execSync } = await import('node:child_process');\nreturn execSync('ls');",
    /can start no other program.*get_weather/,
  ],
  [
    "a shell by require",
    "return require('child_process').spawnSync('ls').stdout.length;",
    /can start no other program|not here/,
  ],
  [
    "a package of HTTP",
    "const axios = require('axios');\nreturn axios;",
    /no axios: use fetch where a host is allowed, or call a tool\..*get_weather/,
  ],
  ["a package of HTTP by import", "import got from 'got';\nexport default got;", /no got: use fetch/],
  ["another package", "return require('left-pad')('a', 2);", /There are no (?:packages|files)/],
  ["a module from the web", "import x from 'https://esm.sh/x';\nexport default x;", /There are no (?:packages|files)/],
  [
    "errors inside of one",
    "return await Promise.any([get_weather({ town: 'a' }), Promise.reject(new Error('second'))]);",
    /city: expected string[^]*Error: second/,
  ],
  ["a positional parameter", "return await get_weather('Oslo');", /found a text.*get_weather\(\{ city \}\)/],
  ["a list of parameters", "return await get_weather(['Oslo']);", /found a list.*get_weather\(\{ city \}\)/],
  [
    "a default function with parameters",
    "export default async function main({ city }) {\n  return city;\n}",
    /called without arguments/,
  ],
  ["a tool whose result is a circle", "return await circle({});", /fault of the tool, not of the call/],
];

describe.each([
  ["Deno", () => new DenoRuntime({ prewarm: 1, onContainment: () => undefined })],
  ["QuickJS", () => new QuickJsRuntime()],
])("a model is helped by %s", (_engine, make) => {
  const runtime = make();
  const registry = registerCodeTool(tools.subset("get_weather", "circle"), { runtime });
  afterAll(() => runtime.close());

  test.each(programs)("%s", async (_what, code, helped) => {
    const result = await registry.dispatch("execute_code", { code });
    expect(result.success).toBe(false);
    expect(result.toString()).toMatch(helped);
    expect(result.toString()).not.toContain(import.meta.dirname);
  });

  test.each([
    ["of a promise", "Promise.reject(new Error('lost'));\nreturn 5;"],
    ["of a function", "void (async () => {\n  throw new Error('lost');\n})();\nreturn 5;"],
  ])("a rejection %s beside a returned value is printed, and the value stays", async (_what, code) => {
    const result = await registry.dispatch("execute_code", { code });
    expect(result.toString()).toBe("Unhandled error: Error: lost\nReturned: 5");
  });

  test("a rejection that nothing handles fails a program that returns nothing", async () => {
    const result = await registry.dispatch("execute_code", { code: "void Promise.reject(new Error('lost'));" });
    expect(result.toString()).toMatch(/main\.ts:1.*lost/);
  });

  test("a promise is printed, awaited and compared as any other", async () => {
    const code = `const p = get_weather({ city: "abc" });
console.log(p);
return [p instanceof Promise, JSON.stringify({ p }), typeof p.then, await Promise.all([p, p]), (await p).celsius];`;
    const result = await registry.dispatch("execute_code", { code });
    expect(result.toString()).toContain('Returned: [true,"{\\"p\\":{}}","function",[{"celsius":3},{"celsius":3}],3]');
    expect(result.toString()).toMatch(/^Promise /);
  });

  test.each([
    ["rows", "Array.from({ length: 20_000 }, (_, id) => ({ id, tags: ['a', 'b'] }))", "returned[19_999].id", 19_999],
    [
      "a list in an object",
      "({ rows: Array.from({ length: 90_000 }, (_, id) => id), last: 1 })",
      "returned.last + returned.rows.length",
      90_001,
    ],
    ["a text", "'x'.repeat(2_000_000)", "returned.length", 2_000_000],
    [
      "lists within limits, too long to be shown",
      "Array.from({ length: 5_000 }, (_, id) => ({ id }))",
      "returned.length",
      5_000,
    ],
  ])("the structure of a long returned value stays, and all of it is kept: %s", async (_what, value, read, found) => {
    const result = await registry.dispatch("execute_code", { code: `return ${value};` });
    expect(result.success).toBe(true);
    const text = result.toString();
    expect(text.length).toBeLessThan(21_000);
    const [line = ""] = text.split("\n");
    const shown = line.slice("Returned: ".length);
    if (value.startsWith("'")) expect(shown).toMatch(/^x+… \(\d+ more characters\)$/);
    else expect(JSON.stringify(JSON.parse(shown))).toMatch(/\d+ more items\)/);
    const [, id] = /readOutput\(\\?"(\w+)\\?"\)/.exec(text) ?? [];
    const again = await registry.dispatch("execute_code", {
      code: `const { returned } = await readOutput("${id}");\nreturn ${read};`,
    });
    expect(again.toString()).toBe(`Returned: ${found}`);
  });
});
