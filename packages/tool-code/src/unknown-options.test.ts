import { createToolRegistry } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import * as deno from "./deno/index.ts";
import * as code from "./index.ts";
import * as quickJs from "./quickjs/index.ts";

type Case = readonly [misspelt: string, meant: string, use: (options: never) => unknown];

/** A public function or constructor that takes options, with a misspelt one. */
const TAKES_OPTIONS: Readonly<Record<string, Case>> = {
  createCodeTool: ["needsAproval", "needsApproval", (options) => code.createCodeTool(options)],
  registerCodeTool: ["limit", "limits", (options) => code.registerCodeTool(createToolRegistry(), options)],
  createProgramValues: ["maxChar", "maxChars", (options) => code.createProgramValues(options)],
  resolveCodeLimits: ["wallMS", "wallMs", (options) => code.resolveCodeLimits(options)],
  DenoRuntime: ["containmnt", "containment", (options) => new deno.DenoRuntime(options)],
  QuickJsRuntime: ["thread", "threads", (options) => new quickJs.QuickJsRuntime(options)],
};
const TAKES_NONE = ["bubblewrap"];

test.each(Object.entries(TAKES_OPTIONS))("%s names the option that was meant", (_, [misspelt, meant, use]) => {
  expect(() => use({ [misspelt]: undefined } as never)).toThrow(
    `found the option "${misspelt}", did you mean "${meant}"`,
  );
});

test("every public function is among those above", () => {
  const functions = Object.entries({ ...code, ...deno, ...quickJs }).flatMap(([name, value]) =>
    typeof value === "function" && !((value as { prototype?: unknown }).prototype instanceof Error) ? [name] : [],
  );
  expect(functions.toSorted()).toEqual([...Object.keys(TAKES_OPTIONS), ...TAKES_NONE].toSorted());
});
