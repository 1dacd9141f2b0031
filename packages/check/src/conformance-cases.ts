import type { AnyTool } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import type { ConformanceCase } from "./conformance-case.ts";
import { planOf, type ConformanceOptions } from "./conformance-options.ts";
import { callCases } from "./conformance/call-cases.ts";
import { definitionCases } from "./conformance/definition-cases.ts";
import { paramsCases } from "./conformance/params-cases.ts";
import { providerCases } from "./conformance/provider-cases.ts";

/**
 * Requirements on every tool, as cases for any test runner: a definition that providers and models understand, and
 * calls that end in a result for any arguments. Some need `fast-check` to be installed, and load it when they are run.
 *
 * @throws {TypeError} When `params` is empty.
 *
 * @example
 * ```ts
 * for (const { name, run } of conformanceCases(readFile, { context: { worktreePath }, params: [{ path: "a.txt" }] })) {
 *   test(name, run);
 * }
 * ```
 */
export function conformanceCases<T extends AnyTool>(
  tool: T,
  options: ConformanceOptions<T>,
): readonly ConformanceCase[] {
  checkOptions("make cases", options, {
    params: true,
    context: true,
    execute: true,
    succeeds: true,
    approve: true,
    maxTextChars: true,
    timeoutMs: true,
    cancelTimeoutMs: true,
    accepts: true,
    numRuns: true,
    seed: true,
  });
  const plan = planOf(tool, options as ConformanceOptions);
  return [...definitionCases(plan), ...providerCases(plan), ...paramsCases(plan), ...callCases(plan)];
}
