import type { ConformancePlan } from "../conformance-options.ts";
import { generatedParams } from "./generated-params.ts";

/** Longer than this no made-up parameters are tried, in milliseconds: tools that run may be slow. */
const MAX_TOTAL_MS = 10_000;

/** Tries a rule with generated parameters; the error shows the smallest ones that break it. */
export async function holdsForGenerated(
  { tool, params, seed }: ConformancePlan,
  numRuns: number,
  rule: (sent: unknown) => Promise<void>,
): Promise<void> {
  const fc = await import("fast-check");
  await fc.assert(fc.asyncProperty(generatedParams(fc, tool.parameters, params), rule), {
    numRuns,
    interruptAfterTimeLimit: MAX_TOTAL_MS,
    ...(seed !== undefined && { seed }),
  });
}
