import { describe, expect, test } from "vitest";
import { dispatchSubject } from "./dispatch-subject.ts";
import type { TortureCase } from "./torture-case.ts";
import { tortureCases } from "./torture-cases.ts";
import { tortureProperties } from "./torture-properties.ts";
import { NotOfferedError, type PreparedTool, type TortureSubject } from "./torture-subject.ts";

/** A transcript that never settles is waited for this long, instead of the default of ten seconds. */
const subject = dispatchSubject({ dispatchOptions: { recordTimeoutMs: 100 } });
const assertSurvived = (run: TortureCase["run"]): Promise<void> => run(subject);

describe.each(tortureCases)("$topic", ({ name, run }) => {
  test(`dispatch() answers as it must when ${name}`, () => assertSurvived(run));
});

describe.each(tortureProperties())("$topic", ({ name, run }) => {
  test(`dispatch() answers as it must whenever ${name}`, () => assertSurvived(run));
});

/** A common design: checks the parameters, waits for the tool, turns its answer into text. */
const naive: TortureSubject = {
  name: "naive",
  prepare(tool) {
    const { name, parameters, needsApproval } = tool;
    if (needsApproval === true) throw new NotOfferedError("it asks nobody");
    const call: PreparedTool["call"] = async (sent, { signal, record, observe } = {}) => {
      if (record !== undefined || observe !== undefined) throw new NotOfferedError("it tells nobody");
      const parsed = parameters.safeParse(typeof sent === "string" ? JSON.parse(sent) : sent);
      if (!parsed.success) return { failed: true, text: parsed.error.message };
      const value = await tool.execute(parsed.data, { signal });
      return { failed: false, text: typeof value === "string" ? value : JSON.stringify(value) };
    };
    const callRaw: PreparedTool["callRaw"] = async (asked) => {
      const { name: wanted, arguments: sent } = asked as { name: string; arguments: unknown };
      return wanted === name ? call(sent) : { failed: true, text: `Unknown tool ${wanted}` };
    };
    return { call, callRaw };
  },
};

describe("tortureCases", () => {
  test("fail for the most part when a tool is simply called", async () => {
    const outcomes = { passed: 0, failed: 0, notOffered: 0 };
    for (const { run } of tortureCases) outcomes[await outcomeOf(run)] += 1;
    expect(outcomes.notOffered).toBeLessThan(70);
    expect(outcomes.failed).toBeGreaterThan(outcomes.passed);
  });

  test("have a name each", () => {
    expect(new Set(tortureCases.map(({ name }) => name)).size).toBe(tortureCases.length);
    expect(tortureCases.length).toBeGreaterThan(300);
  });
});

async function outcomeOf(run: TortureCase["run"]): Promise<"passed" | "failed" | "notOffered"> {
  try {
    await run(naive, { timeoutMs: 60 });
    return "passed";
  } catch (error) {
    return error instanceof NotOfferedError ? "notOffered" : "failed";
  }
}
