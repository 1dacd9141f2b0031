import type { CallOf } from "../call/parse-call.ts";
import type { ToolProgress } from "../call/tool.ts";
import type { ToolResult } from "../result/tool-result.ts";

/** An event of a call, as observers receive it. A call starts once and ends once. */
export type ToolEvent =
  | (CallOf & {
      /** A call arrived; nothing has been checked yet. */
      readonly type: "call-start";
      /** The arguments the model sent. */
      readonly arguments: unknown;
    })
  | (CallOf & {
      /** The tool said how far it has come. */
      readonly type: "call-progress";
      /** The tool's report. */
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
      /** The tool's own result. It is in no transcript, because the model received another one. */
      readonly result: ToolResult;
    })
  | (CallOf & {
      /**
       * The transcript refused an entry, or took too long over it: the call has a result that is not recorded. Before
       * `call-start`: it could not be asked whether the call had run before, so the tool will not run.
       */
      readonly type: "transcript-error";
      /** The transcript's error. */
      readonly error: unknown;
    });

/** Receives events. Its errors are ignored, and no call waits for it. */
export type ToolObserver = (event: ToolEvent) => void;

/** Sends an event to the observer, if there is one. Ignores its errors. */
export function notify(observer: ToolObserver | undefined, event: ToolEvent): void {
  if (observer !== undefined) callObserver(() => observer(event));
}

/** Calls an observer and ignores its errors, thrown or rejected. */
export function callObserver(observe: () => unknown): void {
  try {
    const returned = observe();
    if (returned instanceof Promise) returned.catch(() => {});
  } catch {
    // An error of an observer must not change the call.
  }
}
