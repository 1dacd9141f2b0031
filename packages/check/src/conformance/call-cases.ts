import { type CallOptions, isToolResult, type ToolResult } from "@dispatch/tools-interface";
import { thrownMessage, toJsonText, compileSchema } from "@dispatch/tools-interface/internal";
import { conformanceCase, expectOf, type ConformanceCase } from "../conformance-case.ts";
import type { ConformancePlan } from "../conformance-options.ts";
import { StillPendingError, settledInTime } from "../settled-in-time.ts";
import { holdsForGenerated } from "./generated-params.ts";
import { expectNoHostPath } from "./host-paths.ts";

/** When a call is cancelled after it was made, in milliseconds. */
const MOMENTS_MS = [0, 5, 50];

/** Requirements on calls of a tool. */
export function callCases(plan: ConformancePlan): readonly ConformanceCase[] {
  const { tool, params, execute, approve } = plan;
  const { name } = tool;
  const beforeStart = conformanceCase("calls", `${name} does not start once its call is cancelled`, async () => {
    const result = await called(plan, params[0], { approve, signal: AbortSignal.abort() });
    const found = `${result.success ? "a success" : result.code}, ${String(result)}`;
    expectOf(!result.success && result.code === "cancelled", "a failure with code cancelled", found);
  });
  if (execute === false) return [beforeStart];
  const examples = [
    beforeStart,
    ...params.map((example, index) =>
      conformanceCase("calls", `${name} answers example ${index + 1} as it promises`, async () => {
        const result = await called(plan, example, { approve });
        expectOf(result.success || !plan.succeeds, "a success", String(result));
        if (result.success) await expectFitting(plan, result.data);
      }),
    ),
    conformanceCase("calls", `${name} ends when its call is cancelled`, async () => {
      for (const moment of MOMENTS_MS) await expectPrompt(plan, moment);
    }),
    conformanceCase("calls", `${name} says so when the host gives it nothing`, () =>
      called({ ...plan, context: undefined }, params[0], { approve }),
    ),
  ];
  if (execute === "examples") return examples;
  return [
    ...examples,
    conformanceCase("calls", `${name} answers any parameters with a result`, () =>
      holdsForGenerated(plan, Math.ceil(plan.numRuns / 4), async (sent) => void (await called(plan, sent, {}))),
    ),
  ];
}

/** Makes a call and checks the requirements on every call. */
async function called(plan: ConformancePlan, sent: unknown, options: CallOptions): Promise<ToolResult> {
  const { tool, context, timeoutMs, maxTextChars } = plan;
  const given = structuredClone(sent) as never;
  const result = await settled(timeoutMs, () => tool.call(given, { ...options, context }));
  expectOf(isToolResult(result), "a result made by success or failure", typeof result);
  const text = String(result);
  expectOf(text.trim() !== "", "a text for the model", "an empty one");
  expectOf(text.length <= maxTextChars, `a text of at most ${maxTextChars} characters`, `${text.length}`);
  toJsonText({ ...result.toJSON(), metadata: {} });
  const isUnusable = !result.success && result.code === "invalid_output";
  expectOf(!isUnusable, "data and content that a result can hold and that fit the output", text.slice(0, 400));
  if (!result.success) expectNoHostPath(text, sent);
  return result;
}

async function expectFitting({ tool }: ConformancePlan, data: unknown): Promise<void> {
  if (tool.output === undefined) return;
  const { issues = [] } = await compileSchema(tool.output, `output of ${tool.name}`, "output").validate(data);
  expectOf(issues.length === 0, "data that fits the output", issues.map(({ message }) => message).join("; "));
}

async function expectPrompt(plan: ConformancePlan, moment: number): Promise<void> {
  const controller = new AbortController();
  const call = called(plan, plan.params[0], { approve: plan.approve, signal: controller.signal });
  const timer = setTimeout(() => controller.abort(), moment);
  const aborted = new Promise<void>((resolve) => controller.signal.addEventListener("abort", () => resolve()));
  await Promise.race([aborted, call]);
  const result = await settled(plan.cancelTimeoutMs, () => call);
  clearTimeout(timer);
  const isStopped = result.success || result.stopped !== false;
  expectOf(isStopped, `it to have stopped ${moment} ms after it began`, String(result));
}

async function settled(ms: number, begin: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await settledInTime(ms, begin);
  } catch (error) {
    const found = error instanceof StillPendingError ? error.message : `a rejection, ${thrownMessage(error)}`;
    throw new Error(`expected a result, found ${found}`, { cause: error });
  }
}
