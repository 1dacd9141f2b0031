import { beginWait, endWait, type Wait } from "./deadline.ts";
import { onAbort } from "./on-abort.ts";
import { tell } from "./tell.ts";
import { makeCallId } from "./tool-call.ts";
import { failure, type ToolEffects, type ToolResult } from "./tool-result.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";
import type { CallOptions, NestedDispatch, ToolProgress, ToolRun } from "./tool.ts";

/** How long a tool that was told to stop may take to do so before the call is answered without it, in milliseconds. */
const GRACE_MS = 200;

type Options = CallOptions & { readonly context?: unknown };

/** What one running call has at hand: the `run` of `execute`, and the means to stop it. */
export class Run implements ToolRun {
  readonly context: unknown;
  private readonly options: Options;
  private id: string | undefined;
  private controller: AbortController | undefined;
  private detach: (() => void) | undefined;

  constructor(options: Options) {
    this.id = options.callId;
    this.context = options.context;
    this.options = options;
  }

  get callId(): string {
    return (this.id ??= makeCallId());
  }

  /** Made when first read: most tools never look. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController();
      this.controller = controller;
      const outer = this.options.signal;
      if (outer?.aborted) controller.abort(outer.reason);
      else if (outer !== undefined) {
        this.detach = onAbort(outer, () => controller.abort(outer.reason));
      }
    }
    return this.controller.signal;
  }

  get dispatch(): NestedDispatch | undefined {
    return this.options.dispatch;
  }

  /** A function of its own, so that it works without its `run`. */
  get progress(): (update: ToolProgress) => void {
    return (update) => tell(() => this.options.onProgress?.(update));
  }

  /** Tells the tool to stop. False when it never looked at its signal, so that it cannot hear. */
  stop(reason: unknown): boolean {
    if (this.controller === undefined) return false;
    this.controller.abort(reason);
    return true;
  }

  /** Lets go of the caller's signal. */
  release(): void {
    this.detach?.();
  }
}

/** The tool that is waited for. */
interface Waited {
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
 * Waits for a tool to settle, but no longer than it may: until its timeout or the caller's signal, plus a short grace
 * in which a tool that listens to its signal can end by itself and have its own result counted.
 */
export class Settlement implements Wait {
  // `private` and not `#`: methods that are private to the language cost 5 % of a whole call here.

  /** The result of the call. Never rejects. */
  readonly result: Promise<ToolResult>;
  private readonly tool: Waited;
  private readonly run: Run;
  private readonly options: Options;
  position = -1;
  private resolve!: (result: ToolResult) => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private interruption: Interruption | undefined;
  private armed = false;
  private detach: (() => void) | undefined;
  private answered = false;

  constructor(tool: Waited, run: Run, options: Options) {
    this.tool = tool;
    this.run = run;
    this.options = options;
    this.result = new Promise((resolve) => (this.resolve = resolve));
    beginWait(this);
  }

  arm(): void {
    const { signal } = this.options;
    const cancel = (): void => this.interrupt(CANCELLED, signal?.reason);
    this.armed = true;
    if (signal?.aborted) return cancel();
    this.detach = signal && onAbort(signal, cancel);
    this.timer = setTimeout(() => this.expire(), this.tool.timeoutMs);
  }

  /** The tool has settled, in time or not. */
  settled(result: ToolResult): void {
    if (this.answered) return tellLate(this.options, result);
    const cause = this.interruption ?? (this.options.signal?.aborted ? CANCELLED : undefined);
    this.answer(cause === undefined || result.success ? result : interrupted(this.tool, cause, true));
  }

  private expire(): void {
    const what = `timed out after ${this.tool.timeoutMs} ms`;
    this.interrupt({ code: "timeout", what }, new DOMException(what, "TimeoutError"));
  }

  private interrupt(cause: Interruption, reason: unknown): void {
    this.interruption = cause;
    clearTimeout(this.timer);
    const listens = this.run.stop(reason);
    this.timer = setTimeout(() => this.answer(interrupted(this.tool, cause, false)), listens ? GRACE_MS : 0);
  }

  private answer(result: ToolResult): void {
    this.answered = true;
    if (this.armed) {
      clearTimeout(this.timer);
      this.detach?.();
    } else endWait(this);
    this.run.release();
    this.resolve(result);
  }
}

function tellLate(options: Options, result: ToolResult): void {
  tell(() => options.onLateResult?.(result));
}

function interrupted({ name, annotations }: Waited, { code, what }: Interruption, stopped: boolean): ToolResult {
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
