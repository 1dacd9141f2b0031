import { createToolRegistry } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import * as files from "./index.ts";

type Case = readonly [misspelt: string, meant: string, use: (options: never) => unknown];

/** A public function that takes options, with a misspelt one. */
const TAKES_OPTIONS: Readonly<Record<string, Case>> = {
  createFileTools: ["protectedPath", "protectedPaths", (options) => files.createFileTools(options)],
  registerFileTools: ["afterWrites", "afterWrite", (options) => files.registerFileTools(createToolRegistry(), options)],
  createUndoTool: [
    "protected",
    "protectedPaths",
    (options) => files.createUndoTool(files.createFileHistory(), options),
  ],
  createFileHistory: ["maxChange", "maxChanges", (options) => files.createFileHistory(options)],
  openSandbox: ["strenght", "strength", (options) => files.openSandbox("/", options)],
  openFileSystem: ["journals", "journal", (options) => files.openFileSystem("/", options)],
};
/** Made of files, of mounts, or by the functions above. */
const TAKES_NONE = ["MemoryFileSystem", "Sandbox", "SandboxFileSystem", "mountFileSystems"];

test.each(Object.entries(TAKES_OPTIONS))("%s names the option that was meant", (_, [misspelt, meant, use]) => {
  expect(() => use({ [misspelt]: undefined } as never)).toThrow(
    `found the option "${misspelt}", did you mean "${meant}"`,
  );
});

test("every public function is among those above", () => {
  const functions = Object.entries(files).flatMap(([name, value]) =>
    typeof value === "function" && !((value as { prototype?: unknown }).prototype instanceof Error) ? [name] : [],
  );
  expect(functions.toSorted()).toEqual([...Object.keys(TAKES_OPTIONS), ...TAKES_NONE].toSorted());
});
