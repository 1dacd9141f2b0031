import type { ToolProgress } from "../call/tool.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { callObserver } from "../wait/call-observer.ts";

/** What every event tells of its call. */
interface CallOf {
  /** Identifies the call. */
  readonly callId: string;
  /** The call during which this one was made, for nested calls. */
  readonly parentCallId: string | undefined;
  /** The name that was asked for, registered or not. */
  readonly name: string;
}

/** What observers of a registry hear, as it happens. A call starts once and ends once. */
export type ToolEvent =
  | (CallOf & {
      /** A call arrived; nothing has been checked yet. */
      readonly type: "call-start";
      /** What the model sent. */
      readonly arguments: unknown;
    })
  | (CallOf & {
      /** The tool said how far it has come. */
      readonly type: "call-progress";
      /** What it said. */
      readonly update: ToolProgress;
    })
  | (CallOf & {
      /** The call has its result. */
      readonly type: "call-end";
      /** The result, also in the transcript. */
      readonly result: ToolResult;
      /** From arrival to result, in milliseconds. */
      readonly durationMs: number;
    })
  | (CallOf & {
      /** The transcript had the call already: no tool ran, and nothing else is heard of the call. */
      readonly type: "call-replayed";
      /** The result that was recorded. */
      readonly result: ToolResult;
    })
  | (CallOf & {
      /** A tool ended after its call had been answered as cancelled or timed out. */
      readonly type: "call-late";
      /** What it ended with. In no transcript, because the model was told otherwise. */
      readonly result: ToolResult;
    })
  | (CallOf & {
      /**
       * The transcript refused an entry, or took too long over it: the call has a result that is not recorded. Before
       * `call-start`: it could not be asked whether the call had run before, so the tool will not run.
       */
      readonly type: "transcript-error";
      /** What the transcript threw. */
      readonly error: unknown;
    });

/** Hears events. What it throws is ignored, and nothing waits for it. */
export type ToolObserver = (event: ToolEvent) => void;

/** Tells an observer, whatever it does with the news. */
export function notify(observer: ToolObserver | undefined, event: ToolEvent): void {
  if (observer !== undefined) callObserver(() => observer(event));
}
