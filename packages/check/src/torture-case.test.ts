import { createToolRegistry, type ToolEvent } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { dispatchSubject } from "./dispatch-subject.ts";
import { tortureCase } from "./torture-case.ts";
import { NotOfferedError, type PreparedTool, type TortureSubject } from "./torture-subject.ts";
import { FITTING } from "./trial.ts";

const plain = tortureCase("plain", "a tool finds a city", (trial) =>
  trial.once({}, FITTING, { failed: false, says: /found/, runs: 1 }),
);
const found = { failed: false, text: "found" };

/** A system with one fault. */
function subjectOf(call: (...given: [run: () => unknown, ...Parameters<PreparedTool["call"]>]) => unknown) {
  const subject: TortureSubject = {
    name: "faulty",
    prepare: (tool) => ({
      call: (...given) => call(() => tool.execute(FITTING, {}), ...given) as ReturnType<PreparedTool["call"]>,
    }),
  };
  return subject;
}

describe("TortureCase.run()", () => {
  test.each([
    ["nothing happens at all", () => new Promise(() => {}), "found it still pending after 50 ms"],
    ["the call rejects", () => Promise.reject(new Error("boom")), "found a rejection: boom"],
    ["the call throws", () => fail("boom"), "found a rejection: boom"],
    ["the text is empty", (run) => (run(), { failed: false, text: " " }), "expected a text for the model"],
    ["the text is none", (run) => (run(), { failed: false, text: undefined }), "expected a text for the model"],
    ["the text says nothing", (run) => (run(), { ...found, text: "[object Object]" }), "expected a text that says"],
    ["the text has a stack", (run) => (run(), { ...found, text: new Error("found").stack }), "a text without a stack"],
    ["the text is another", (run) => (run(), { failed: false, text: "lost" }), "expected a text like /found/"],
    ["it is told to have failed", (run) => (run(), { failed: true, text: "found" }), "expected a success"],
    ["nobody says whether it failed", (run) => (run(), { text: "found" }), "expected to be told whether"],
    ["the tool did not run", () => found, "expected the tool to have run 1 times, found 0"],
    ["the tool ran twice", (run) => (run(), run(), found), "found 2"],
    ["nothing was recorded", (run) => (run(), found), "expected 1 records, one a call, found 0"],
    ["it was recorded twice", recordedTwice, "expected 1 records, one a call, found 2"],
    ["a rejection was left", (run, _, options) => (drop(), recorded(run, options)), "found unhandled: dropped"],
    ["an exception was left", (run, _, options) => (throwLater(), recorded(run, options)), "found unhandled: dropped"],
  ] satisfies readonly (readonly [string, Parameters<typeof subjectOf>[0], string])[])(
    "rejects when %s",
    async (_, call, message) => {
      await expect(
        plain.run(
          subjectOf(async (...given) => call(...given)),
          { timeoutMs: 50 },
        ),
      ).rejects.toThrow(message);
    },
  );

  test("rejects with NotOfferedError when the subject has nothing of the kind", async () => {
    const subject = subjectOf(() => Promise.reject(new NotOfferedError("no tools here")));
    await expect(plain.run(subject)).rejects.toThrow(NotOfferedError);
  });

  test("does without records where the subject has none", async () => {
    const subject = subjectOf(async (run, _, { record } = {}) => {
      if (record !== undefined) throw new NotOfferedError("no records here");
      run();
      return found;
    });
    await expect(plain.run(subject)).resolves.toBeUndefined();
  });

  test("gives the process back as it was", async () => {
    const listeners = (): readonly unknown[] => process.listeners("unhandledRejection");
    const before = listeners();
    await Promise.all([plain.run(dispatchSubject()), plain.run(dispatchSubject())]);
    expect(listeners()).toEqual(before);
  });
});

describe("dispatchSubject()", () => {
  test("calls the tool through the registry it is given, with the options it is given", async () => {
    const events: ToolEvent[] = [];
    let registries = 0;
    const subject = dispatchSubject({
      name: "mine",
      createRegistry: (tool) => ((registries += 1), createToolRegistry().register(tool)),
      dispatchOptions: { onEvent: (event) => events.push(event) },
    });
    await plain.run(subject);
    expect(registries).toBe(2);
    expect(events.map(({ type }) => type)).toContain("call-end");
    const fails = tortureCase("plain", "a tool finds nothing", (trial) => trial.once({}, FITTING, { failed: true }));
    await expect(fails.run(subject)).rejects.toThrow("mine, a tool finds nothing: expected a failure");
  });
});

function fail(message: string): never {
  throw new Error(message);
}

function recorded(run: () => unknown, options: Parameters<PreparedTool["call"]>[1]): typeof found {
  run();
  options?.record?.({});
  return found;
}

function recordedTwice(...[run, , options]: Parameters<Parameters<typeof subjectOf>[0]>): typeof found {
  options?.record?.({});
  return recorded(run, options);
}

function drop(): void {
  void Promise.reject(new Error("dropped"));
}

function throwLater(): void {
  queueMicrotask(() => fail("dropped"));
}
