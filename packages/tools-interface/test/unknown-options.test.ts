import { readFileSync } from "node:fs";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  failure,
  runTools,
  success,
  ToolError,
  type ToolRun,
} from "@dispatch/tools-interface";
import { createOutputArchive } from "@dispatch/tools-interface/outputs";
import { expect, test } from "vitest";
import { z } from "zod";

const spec = {
  name: "act",
  description: "Acts.",
  parameters: z.object({}),
  execute: (_: object, run: ToolRun) => run.dispatch?.({ name: "other", arguments: {} }, nested),
};
let nested: object | undefined;
const act = defineTool(spec as never) as never as ReturnType<typeof defineTool<"act", z.ZodObject>>;
const registry = createToolRegistry().register([act, defineTool({ ...spec, name: "other", execute: () => "done" })]);

type Case = readonly [misspelt: string, meant: string, use: (options: never) => unknown];

/** A public function that takes options, or a method of what it makes, with a misspelt option. */
const TAKES_OPTIONS: Readonly<Record<string, Case>> = {
  defineTool: ["needsAproval", "needsApproval", (given) => defineTool({ ...spec, ...(given as object) })],
  "defineTool, annotations": [
    "readonly",
    "readOnly",
    (given) => defineTool({ ...spec, execute: () => "", annotations: given }),
  ],
  createToolRegistry: ["maxDept", "maxDepth", (given) => createToolRegistry(given)],
  "registry.register": ["caller", "callers", (given) => createToolRegistry().register(act, given)],
  "registry.toModelTools": ["loadd", "loaded", (given) => registry.toModelTools(given)],
  "registry.generateStubs": ["max_tokens", "maxTokens", (given) => registry.generateStubs(given)],
  "registry.generateStub": ["declaration", "declarations", (given) => registry.generateStub("act", given)],
  "registry.dispatch": ["aprove", "approve", (given) => registry.dispatch("other", {}, given)],
  "registry.dispatch, a call": ["aprove", "approve", (given) => registry.dispatch({ name: "other" }, given)],
  "registry.dispatchAll": ["onEvents", "onEvent", (given) => registry.dispatchAll([{ name: "other" }], given)],
  "run.dispatch": [
    "signals",
    "signal",
    async (given) => {
      nested = given;
      return registry.dispatch("act", {});
    },
  ],
  "tool.call": ["polcy", "policy", (given) => act.call({}, given)],
  "tool.approvalRequest": ["contxt", "context", (given) => act.approvalRequest({}, given)],
  runTools: ["maxTurn", "maxTurns", (given) => runTools(registry, given)],
  success: ["metdata", "metadata", (given) => success("x", given)],
  failure: ["cod", "code", (given) => failure("x", given)],
  createTranscript: ["maxMB", "maxMb", (given) => createTranscript([], given)],
  ToolError: ["cuase", "cause", (given) => new ToolError("x", { code: "x", ...(given as object) })],
  createOutputArchive: ["maxChar", "maxChars", (given) => createOutputArchive(given)],
};

/** The public functions that take no options, or those of a port that an object of the host's fulfils. */
const TAKES_NONE = `cleanText createToolIndex
createToolIndexInSlices describeArguments describeProgress describeResult diffOf fromMcpCall
imageTypeOf isToolResult loadedTools namedArguments oneLine reconcile shouldStop showArguments toMcpResult toMcpTools
wholeImageSize`.split(/\s+/);

test.each(Object.entries(TAKES_OPTIONS))("%s names the option that was meant", async (_, [misspelt, meant, use]) => {
  const said = await (async () => use({ [misspelt]: undefined } as never))().then(String, String);
  expect(said).toContain(`found the option "${misspelt}", did you mean "${meant}"`);
});

test.each(Object.entries(TAKES_OPTIONS).filter(([name]) => !["defineTool", "ToolError"].includes(name)))(
  "%s names it for an instance of a class too, whether a field, a getter or a method",
  async (_, [misspelt, meant, use]) => {
    const field = new (class {
      readonly [misspelt] = 1;
    })();
    const getter = new (class {
      get [misspelt](): number {
        return 1;
      }
    })();
    const method = new (class extends class {
      [misspelt](): void {}
    } {})();
    for (const given of [field, getter, method]) {
      const said = await (async () => use(given as never))().then(String, String);
      expect(said).toContain(`found the option "${misspelt}", did you mean "${meant}"`);
    }
  },
);

test("defineTool names it for an instance of a class too", () => {
  class Tool {
    readonly name = "wipe";
    readonly description = "Wipes.";
    readonly parameters = { type: "object" } as const;
    readonly #note = 1;
    readonly note = this.#note;
    needsAproval(): boolean {
      return true;
    }
    execute(): string {
      return "wiped";
    }
  }
  expect(() => defineTool(new Tool())).toThrow('found the option "needsAproval", did you mean "needsApproval"');
});

test("every public function is among those above", async () => {
  const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const paths = Object.keys(exports).filter((path) => !/json$|internal$|zod-mini$/.test(path));
  const modules = await Promise.all(
    paths.map((path) => import(`@dispatch/tools-interface${path.slice(1)}`) as Promise<Record<string, unknown>>),
  );
  const isError = (value: { readonly prototype?: unknown }): boolean => value.prototype instanceof Error;
  const functions = modules.flatMap((found) =>
    Object.entries(found).flatMap(([name, value]) => (typeof value === "function" && !isError(value) ? [name] : [])),
  );
  const listed = [...Object.keys(TAKES_OPTIONS).filter((name) => !/[ .]|Error/.test(name)), ...TAKES_NONE];
  expect([...new Set(functions)].toSorted()).toEqual(listed.toSorted());
});

test("a class may have fields of its own, and an option that is known may be undefined", async () => {
  class Options {
    readonly signal = undefined;
    readonly #own = 1;
    readonly note = this.#own;
  }
  expect(await registry.dispatch("other", {}, new Options())).toMatchObject({ success: true });
  expect(createToolRegistry({ policy: undefined } as never).size).toBe(0);
  expect(() => createTranscript([])).not.toThrow();
  expect(() => success("x", { dta: 1 } as never)).toThrow(ToolError);
});
