import { inspect } from "node:util";
import { thrownMessage } from "@dispatch/tools-interface/internal";
import { z } from "zod";
import { drainEventLoop, watchProcess } from "./process-watch.ts";
import { StillPendingError, settledInTime } from "./settled-in-time.ts";
import {
  NotOfferedError,
  type PreparedTool,
  type TortureCallOptions,
  type TortureOutcome,
  type TortureSubject,
  type TortureTool,
} from "./torture-subject.ts";

const DEFAULT_TIMEOUT_MS = 3_000;
/** A frame of a stack: nothing that a model can use, and paths of the host. */
const STACK_FRAME = /\n\s+at .+:\d+:\d+/;
/** Default texts of values that nobody turned into text. */
const NO_TEXT = /^(?:\[object \w+\]|undefined|null)$/;

/** The required outcome of one call. Absent fields are not checked. */
export interface Expected {
  /** Whether the model is told that the call failed. */
  readonly failed?: boolean;
  /** Must be found in the text. */
  readonly says?: RegExp;
  /** Must not be found in the text. */
  readonly hides?: RegExp;
  /** The longest text that is of use, in characters. */
  readonly maxLength?: number;
  /** How often the tool may have been started by then, over the whole case. */
  readonly runs?: number;
}

/** The tool that is called unless a case has its own. */
const LOOK_UP: TortureTool = {
  name: "look_up",
  description: "Looks up a city.",
  parameters: z.object({ city: z.string().describe("Name of the city") }),
  execute: () => "found",
};

/** Parameters that fit the tool that is called unless a case has its own. */
export const FITTING = Object.freeze({ city: "Oslo" });

/** One case while it runs: builds the tool, makes the calls, and checks the requirements on every one of them. */
export class Trial {
  /** The records, in order. */
  readonly records: unknown[] = [];
  /** How often a tool was started. */
  runs = 0;
  private calls = 0;
  private readonly name: string;
  private readonly subject: TortureSubject;
  private timeoutMs: number;
  /** Whether the subject records calls at all. */
  readonly isRecording: boolean;
  private readonly watch = watchProcess();

  private constructor(name: string, subject: TortureSubject, timeoutMs: number, isRecording: boolean) {
    this.name = name;
    this.subject = subject;
    this.timeoutMs = timeoutMs;
    this.isRecording = isRecording;
  }

  /** Begins a case. */
  static async begin(name: string, subject: TortureSubject, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<Trial> {
    return new Trial(name, subject, timeoutMs, await offersRecords(subject, timeoutMs));
  }

  /** Waits five times as long from here on: a host may be given more time than a tool. */
  extendTimeout(): void {
    this.timeoutMs *= 5;
  }

  /** Builds the tool of the case. The default is a tool that finds a city. */
  async prepare(tool: Partial<TortureTool> = {}): Promise<PreparedTool> {
    const whole = { ...LOOK_UP, ...tool };
    return this.subject.prepare({
      ...whole,
      execute: (params, run) => {
        this.runs += 1;
        return whole.execute(params, run);
      },
    });
  }

  /** Makes a call and checks its outcome. */
  call(
    tool: PreparedTool,
    sent: unknown,
    expected: Expected,
    options: TortureCallOptions = {},
  ): Promise<TortureOutcome> {
    return this.checked(expected, options, (given) => tool.call(sent, given));
  }

  /** Makes a call from a provider's whole call, and checks its outcome. */
  callRaw(tool: PreparedTool, sent: unknown, expected: Expected): Promise<TortureOutcome> {
    return this.checked(expected, {}, async (given) => {
      if (tool.callRaw === undefined) throw new NotOfferedError("it does not read calls itself");
      return tool.callRaw(sent, given);
    });
  }

  /** Builds a tool and makes one call. */
  async once(
    tool: Partial<TortureTool>,
    sent: unknown,
    expected: Expected,
    options?: TortureCallOptions,
  ): Promise<TortureOutcome> {
    return this.call(await this.prepare(tool), sent, expected, options);
  }

  /** Waits until something is so. Fails the case when that takes too long. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    const end = performance.now() + this.timeoutMs;
    while (!isSo()) {
      if (performance.now() > end) this.fail(what, `that it is not so after ${this.timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Fails the case when something is not as it must be. */
  expect(isSo: boolean, expected: string, found: unknown): void {
    if (!isSo) this.fail(expected, shown(found));
  }

  /** Checks the conditions that hold at the end of every case. */
  async end(): Promise<void> {
    await drainEventLoop();
    const [fault] = this.watch.end();
    if (this.watch.end().length > 0) this.fail("nothing that nobody handles", `unhandled: ${thrownMessage(fault)}`);
    if (!this.isRecording) return;
    this.expect(this.records.length === this.calls, `${this.calls} records, one a call`, `${this.records.length}`);
  }

  /** Lets go of the process, however the case ended. */
  close(): void {
    this.watch.end();
  }

  private async checked(
    expected: Expected,
    options: TortureCallOptions,
    call: (options: TortureCallOptions) => Promise<TortureOutcome>,
  ): Promise<TortureOutcome> {
    this.calls += 1;
    const record = (entry: unknown): unknown => {
      this.records.push(entry);
      return options.record?.(entry);
    };
    const isRecording = this.isRecording || options.record !== undefined;
    const outcome = await this.settled(() => call(isRecording ? { ...options, record } : options));
    this.check(outcome, expected);
    return outcome;
  }

  private async settled(call: () => Promise<TortureOutcome>): Promise<TortureOutcome> {
    try {
      return await settledInTime(this.timeoutMs, call);
    } catch (error) {
      if (NotOfferedError.isInstance(error)) throw error;
      return this.fail(
        "an outcome for the model",
        error instanceof StillPendingError ? error.message : rejected(error),
      );
    }
  }

  private check({ failed, text }: TortureOutcome, expected: Expected): void {
    const found = { failed, text };
    this.expect(typeof failed === "boolean", "to be told whether it failed", found);
    this.expect(typeof text === "string" && text.trim() !== "", "a text for the model", found);
    this.expect(!NO_TEXT.test(text) || expected.says?.test(text) === true, "a text that says something", found);
    this.expect(!STACK_FRAME.test(text), "a text without a stack", found);
    if (expected.failed !== undefined) {
      this.expect(failed === expected.failed, expected.failed ? "a failure" : "a success", found);
    }
    if (expected.says !== undefined) this.expect(expected.says.test(text), `a text like ${expected.says}`, found);
    if (expected.hides !== undefined) this.expect(!expected.hides.test(text), `no text like ${expected.hides}`, found);
    const { maxLength, runs } = expected;
    if (maxLength !== undefined) {
      this.expect(text.length <= maxLength, `at most ${maxLength} characters`, `${text.length}`);
    }
    if (runs !== undefined) this.expect(this.runs === runs, `the tool to have run ${runs} times`, `${this.runs}`);
  }

  private fail(expected: string, found: string): never {
    throw new Error(`${this.subject.name}, ${this.name}: expected ${expected}, found ${found}`);
  }
}

function shown(found: unknown): string {
  return typeof found === "string" ? found : inspect(found, { maxStringLength: 400, breakLength: Infinity });
}

function rejected(error: unknown): string {
  return `a rejection: ${thrownMessage(error).slice(0, 400)}`;
}

const recording = new WeakMap<TortureSubject, Promise<boolean>>();

/** Whether a subject records calls at all; tried once. */
function offersRecords(subject: TortureSubject, timeoutMs: number): Promise<boolean> {
  let known = recording.get(subject);
  if (known === undefined) {
    known = triesRecords(subject, timeoutMs);
    recording.set(subject, known);
  }
  return known;
}

async function triesRecords(subject: TortureSubject, timeoutMs: number): Promise<boolean> {
  // A fault here is also a fault of the case, which reports it.
  const watch = watchProcess();
  try {
    const tool = await subject.prepare(LOOK_UP);
    await settledInTime(timeoutMs, () => tool.call(FITTING, { record: () => undefined }));
    return true;
  } catch (error) {
    return !NotOfferedError.isInstance(error);
  } finally {
    await drainEventLoop();
    watch.end();
  }
}
