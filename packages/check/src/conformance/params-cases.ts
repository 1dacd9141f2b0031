import { conformanceCase, expectOf, type ConformanceCase } from "../conformance-case.ts";
import type { ConformancePlan } from "../conformance-options.ts";
import { holdsForGenerated } from "./generated-params.ts";
import { expectNoHostPath } from "./host-paths.ts";

/** The longest text that explains faults of parameters, in characters. */
const MAX_REFUSAL = 2_000;

/** Requirements on the parameters a tool accepts. Nothing is run. */
export function paramsCases(plan: ConformancePlan): readonly ConformanceCase[] {
  const { tool, params } = plan;
  const { name } = tool;
  return [
    ...params.map((example, index) =>
      conformanceCase("parameters", `${name} accepts example ${index + 1}`, async () => {
        const answer = await tool.validate(structuredClone(example));
        expectOf(answer.success, "the example to fit", answer.success ? "" : answer.error.message);
      }),
    ),
    conformanceCase("parameters", `${name} says of any parameters whether they fit`, () =>
      holdsForGenerated(plan, plan.numRuns, async (sent) => {
        const answer = await tool.validate(structuredClone(sent));
        if (answer.success) return;
        const { message } = answer.error;
        expectOf(message.trim() !== "", "what is wrong, in words", "an empty text");
        expectOf(message.length <= MAX_REFUSAL, `at most ${MAX_REFUSAL} characters`, `${message.length}`);
        expectNoHostPath(message, sent);
      }),
    ),
  ];
}
