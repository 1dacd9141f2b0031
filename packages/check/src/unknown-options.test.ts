import { defineTool } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";
import * as check from "./index.ts";

const tool = defineTool({ name: "act", description: "Acts.", parameters: z.object({}), execute: () => "done" });

type Case = readonly [misspelt: string, meant: string, use: (options: never) => unknown];

const TAKES_NONE = ["plantSecrets"];

/** A public function that takes options, with a misspelt one. */
const TAKES_OPTIONS: Readonly<Record<string, Case>> = {
  conformanceCases: ["param", "params", (given) => check.conformanceCases(tool, given)],
  createRecordingTranscript: ["fault", "faults", (given) => check.createRecordingTranscript(given)],
  createScriptedModel: ["nam", "name", (given) => check.createScriptedModel([], given)],
  dispatchSubject: ["createRegistr", "createRegistry", (given) => check.dispatchSubject(given)],
  tortureProperties: ["numRun", "numRuns", (given) => check.tortureProperties(given)],
};

test.each(Object.entries(TAKES_OPTIONS))("%s names the option that was meant", (_, [misspelt, meant, use]) => {
  expect(() => use({ [misspelt]: undefined } as never)).toThrow(`"${misspelt}", did you mean "${meant}"`);
});

test("every public function is among those above", () => {
  const functions = Object.entries(check).flatMap(([name, value]) =>
    typeof value === "function" && !(value.prototype instanceof Error) ? [name] : [],
  );
  expect(functions.toSorted()).toEqual([...Object.keys(TAKES_OPTIONS), ...TAKES_NONE].toSorted());
});
