import { failure, type ToolEffects, type ToolResult } from "../result/tool-result.ts";
import { callObserver } from "../wait/call-observer.ts";
import { beginWait, endWait, type Wait } from "../wait/lazy-timers.ts";
import { onAbort } from "../wait/on-abort.ts";
import { makeCallId } from "./parse-call.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";
import type { CallOptions, NestedDispatch, ToolProgress, ToolRun } from "./tool.ts";

/** How long a tool that was told to stop may take to do so before the call is answered without it, in milliseconds. */
const GRACE_MS = 200;

type Options = CallOptions & { readonly context?: unknown };

/** The tool that runs. */
interface Running {
  readonly name: string;
  readonly timeoutMs: number;
  readonly annotations: ToolAnnotations;
}

/** Why a call was answered before its tool had ended. */
interface Interruption {
  readonly code: "cancelled" | "timeout";
  readonly what: string;
}

const CANCELLED: Interruption = { code: "cancelled", what: "was cancelled" };

/**
 * One running call: the `run` of `execute`, the wait for its result, and the means to stop it. One object for all three,
 * because each further one costs a small call several per cent.
 *
 * A tool that does not answer at once is waited for until its timeout or the caller's signal, plus a short grace in which
 * a tool that listens to its signal can end by itself and have its own result counted.
 */
export class RunningCall implements ToolRun, Wait {
  // `private` and not `#`: methods that are private to the language cost 5 % of a whole call here.

  position = -1;
  private readonly tool: Running;
  private readonly options: Options;
  private id: string | undefined = undefined;
  private controller: AbortController | undefined = undefined;
  private forwarding: (() => void) | undefined = undefined;
  private resolve: ((result: ToolResult) => void) | undefined = undefined;
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;
  private cancelling: (() => void) | undefined = undefined;
  private interruption: Interruption | undefined = undefined;
  private armed = false;
  private answered = false;

  constructor(tool: Running, options: Options) {
    this.tool = tool;
    this.options = options;
  }

  get context(): unknown {
    return this.options.context;
  }

  get callId(): string {
    return (this.id ??= this.options.callId ?? makeCallId());
  }

  /** Made when first read: most tools never look. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController();
      this.controller = controller;
      const outer = this.options.signal;
      if (outer?.aborted) controller.abort(outer.reason);
      else if (outer !== undefined) this.forwarding = onAbort(outer, () => controller.abort(outer.reason));
    }
    return this.controller.signal;
  }

  get dispatch(): NestedDispatch | undefined {
    return this.options.dispatch;
  }

  /** A function of its own, so that it works without its `run`. */
  get progress(): (update: ToolProgress) => void {
    return (update) => callObserver(() => this.options.onProgress?.(update));
  }

  /** Begins to wait for a result, which {@link RunningCall.settled} brings. The promise never rejects. */
  wait(): Promise<ToolResult> {
    beginWait(this);
    return new Promise((resolve) => (this.resolve = resolve));
  }

  /** The tool has settled, in time or not. */
  settled(result: ToolResult): void {
    if (this.answered) return tellLate(this.options, result);
    const cause = this.interruption ?? (this.options.signal?.aborted ? CANCELLED : undefined);
    this.answer(cause === undefined || result.success ? result : interrupted(this.tool, cause, true));
  }

  /** Lets go of the caller's signal. */
  release(): void {
    this.forwarding?.();
  }

  /** Called when the wait has outlived a turn of the event loop. */
  arm(): void {
    const { signal } = this.options;
    const cancel = (): void => this.interrupt(CANCELLED, signal?.reason);
    this.armed = true;
    if (signal?.aborted) return cancel();
    this.cancelling = signal && onAbort(signal, cancel);
    this.timer = setTimeout(() => this.expire(), this.tool.timeoutMs);
  }

  private expire(): void {
    const what = `timed out after ${this.tool.timeoutMs} ms`;
    this.interrupt({ code: "timeout", what }, new DOMException(what, "TimeoutError"));
  }

  private interrupt(cause: Interruption, reason: unknown): void {
    this.interruption = cause;
    clearTimeout(this.timer);
    // A tool that never looked at its signal cannot hear: it gets no grace.
    const graceMs = this.controller === undefined ? 0 : GRACE_MS;
    this.controller?.abort(reason);
    this.timer = setTimeout(() => this.answer(interrupted(this.tool, cause, false)), graceMs);
  }

  private answer(result: ToolResult): void {
    this.answered = true;
    if (this.armed) {
      clearTimeout(this.timer);
      this.cancelling?.();
    } else endWait(this);
    this.forwarding?.();
    this.resolve?.(result);
  }
}

function tellLate(options: Options, result: ToolResult): void {
  callObserver(() => options.onLateResult?.(result));
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
