import { callObserver } from "../registry/tool-event.ts";
import { failure, type ToolEffects, type ToolResult } from "../result/tool-result.ts";
import { beginWait, endWait, type LazyTimer } from "../wait/lazy-timers.ts";
import { joinSignals, onAbort } from "../wait/on-abort.ts";
import { nextTurn } from "./calls-in-flight.ts";
import type { DurableRun } from "./durable-call.ts";
import { invalidOptionsResult, readHostOptions } from "./host-options.ts";
import { callerOf, makeCallId, NO_PARENTS, type ParentCall, readCall, type ToolCaller } from "./parse-call.ts";
import type { CallOptions, NestedDispatch, Tool, ToolProgress, ToolRun } from "./tool.ts";

/**
 * The grace after a timeout or a cancellation, in milliseconds: how long a tool that listens to its signal may take to
 * stop before the call is answered without it.
 */
const GRACE_MS = 200;

type Options = CallOptions & { readonly context?: unknown };

type Running = Pick<Tool, "name" | "timeoutMs" | "annotations">;

/** Why a call is answered before its tool has ended. */
interface Interruption {
  readonly code: "cancelled" | "timeout";
  readonly what: string;
}

const CANCELLED: Interruption = { code: "cancelled", what: "was cancelled" };

/**
 * One running call: the `run` that `execute` receives, the wait for its result, and its cancellation. One object does all
 * three, because each further object costs a small call several per cent.
 *
 * The wait ends at the tool's timeout or when the caller's signal aborts. Then follows a short grace, in which a tool that
 * listens to its signal can stop by itself and give its own result.
 */
export class RunningCall implements ToolRun, LazyTimer {
  // `private` and not `#`: `#` methods cost 5 % of a whole call here.

  position = -1;
  private readonly tool: Running;
  private readonly options: Options;
  private id: string | undefined = undefined;
  private self: ParentCall | undefined = undefined;
  private effect: string | undefined = undefined;
  private controller: AbortController | undefined = undefined;
  private forwarding: (() => void) | undefined = undefined;
  private resolve: ((result: ToolResult) => void) | undefined = undefined;
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;
  private cancelling: (() => void) | undefined = undefined;
  private interruption: Interruption | undefined = undefined;
  private interruptedBy: unknown = undefined;
  private released = false;
  private answered = false;

  constructor(tool: Running, options: Options) {
    this.tool = tool;
    this.options = options;
  }

  get context(): unknown {
    return this.options.context;
  }

  get caller(): ToolCaller {
    return callerOf(this.options.caller, this.parents);
  }

  get callId(): string {
    return (this.id ??= this.options.callId ?? makeCallId());
  }

  get effectId(): string {
    return (this.effect ??= this.options.durableCall?.effectId ?? crypto.randomUUID());
  }

  get parents(): readonly ParentCall[] {
    return this.options.parents ?? NO_PARENTS;
  }

  get asParent(): ParentCall | undefined {
    if (this.options.dispatch === undefined) return undefined;
    return (this.self ??= Object.freeze({ callId: this.callId, name: this.tool.name }));
  }

  get durable(): DurableRun | undefined {
    return this.options.durableCall?.run;
  }

  /** Made when first read: an `AbortController` costs more than a small call, and most tools never read it. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController();
      this.controller = controller;
      const outer = this.options.signal;
      if (this.interruption !== undefined) controller.abort(this.interruptedBy);
      else if (outer?.aborted) controller.abort(outer.reason);
      else if (outer !== undefined) this.forwarding = onAbort(outer, () => controller.abort(outer.reason));
    }
    return this.controller.signal;
  }

  /** Nested calls end with this call: its cancellation or timeout cancels them, and none starts afterwards. */
  get dispatch(): NestedDispatch | undefined {
    const { dispatch } = this.options;
    const { asParent } = this;
    if (dispatch === undefined || asParent === undefined) return undefined;
    const parents = [...this.parents, asParent];
    const byProgram = [...this.parents, Object.freeze({ ...asParent, caller: "program" as const })];
    // A program passes one signal to all its calls, and joining two takes longer than most calls.
    let joined:
      | { readonly nested: unknown; readonly own: unknown; readonly signal: AbortSignal | undefined }
      | undefined;
    return (call, given) => {
      const { invalid, signal: own, caller, registry, admit } = readHostOptions(given ?? {}, "nested");
      if (invalid !== undefined)
        return Promise.resolve(nextTurn()).then(() => invalidOptionsResult(readCall(call).name, invalid));
      const nested = this.nestedSignal;
      if (joined === undefined || joined.nested !== nested || joined.own !== own)
        joined = { nested, own, signal: joinSignals(nested, own) };
      return dispatch(call, {
        signal: joined.signal,
        parents: caller === "program" ? byProgram : parents,
        registry,
        admit,
      });
    };
  }

  /** A tool that has answered may go on calling others, until the caller cancels. */
  private get nestedSignal(): AbortSignal | undefined {
    return this.released && this.interruption === undefined ? this.options.signal : this.signal;
  }

  /** A function that works without `this`, so that a tool can pass it on. */
  get progress(): (update: ToolProgress) => void {
    return (update) => callObserver(() => this.options.onProgress?.(update));
  }

  /** Whether the call has its result, perhaps without its tool having ended. */
  get isAnswered(): boolean {
    return this.answered;
  }

  /** Waits for the result that {@link RunningCall.finish} receives. The promise never rejects. */
  wait(): Promise<ToolResult> {
    beginWait(this);
    return new Promise((resolve) => (this.resolve = resolve));
  }

  /** Receives the result of the tool, in time or late. */
  finish(result: ToolResult): void {
    if (this.answered) return callObserver(() => this.options.onLateResult?.(result));
    const cause = this.interruption ?? (this.options.signal?.aborted ? CANCELLED : undefined);
    this.answer(cause === undefined || result.success ? result : interrupted(this.tool, cause, true));
  }

  /** Stops listening to the caller's signal. */
  release(): void {
    this.released = true;
    this.forwarding?.();
  }

  /** Sets the timeout and listens to the caller's signal. Called when the wait outlives an iteration of the event loop. */
  arm(): void {
    const { signal } = this.options;
    const cancel = (): void => this.interrupt(CANCELLED, signal?.reason);
    if (signal?.aborted) return cancel();
    this.timer = setTimeout(() => this.expire(), this.tool.timeoutMs);
    this.cancelling = signal && onAbort(signal, cancel);
  }

  private expire(): void {
    const what = `timed out after ${this.tool.timeoutMs} ms`;
    this.interrupt({ code: "timeout", what }, new DOMException(what, "TimeoutError"));
  }

  private interrupt(cause: Interruption, reason: unknown): void {
    this.interruption = cause;
    this.interruptedBy = reason;
    clearTimeout(this.timer);
    // A tool that never read its signal cannot react to it, so it gets no grace.
    const graceMs = this.controller === undefined ? 0 : GRACE_MS;
    this.controller?.abort(reason);
    this.timer = setTimeout(() => this.answer(interrupted(this.tool, cause, false)), graceMs);
  }

  private answer(result: ToolResult): void {
    this.answered = true;
    if (this.position >= 0) endWait(this);
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.cancelling?.();
    this.release();
    this.resolve?.(result);
  }
}

function interrupted({ name, annotations }: Running, { code, what }: Interruption, stopped: boolean): ToolResult {
  const effects = annotations.readOnly === true ? "none" : "possible";
  return failure(`${name} ${what}: ${consequence(stopped, effects)}`, { code, stopped, effects });
}

function consequence(stopped: boolean, effects: ToolEffects): string {
  if (effects === "none")
    return `it ${stopped ? "stopped" : "has not stopped"}, and it changes nothing. You may call it again`;
  return stopped
    ? "it stopped; what it had done before may remain. Check the state before you call it again"
    : "it has not stopped and may still have effects. Check the state before you call it again";
}
