import { readHostOptions } from "../call/host-options.ts";
import { readCall, type ToolCall } from "../call/parse-call.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { dispatchCall } from "../run-call.ts";
import { orderedTranscripts } from "../transcript/ordered-transcripts.ts";
import { nextSequence } from "../transcript/transcript.ts";
import { DEFAULT_CONCURRENCY, dispatchInOrder } from "./dispatch-all.ts";
import type { DispatchAllOptions } from "./dispatch-options.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { notify } from "./tool-event.ts";

/** Runs the calls of one turn; see `ToolRegistry.dispatchAll`. Never rejects. */
export async function dispatchTurn(
  dispatcher: Dispatcher,
  given: readonly ToolCall[],
  options: DispatchAllOptions,
): Promise<readonly ToolResult[]> {
  const checked = readHostOptions(options, "dispatch");
  const { maxConcurrency = DEFAULT_CONCURRENCY, transcript, onEvent, recordTimeoutMs } = checked;
  // Not `map`, which skips holes: each of them is a call that has no name.
  const calls = Array.from<unknown>(Array.isArray(given) ? given : [given]).map(readCall);
  // In the order of the calls, whenever each of them can start.
  const sequences = calls.map(nextSequence);
  const ordered =
    transcript &&
    orderedTranscripts(transcript, { calls: calls.length, timeoutMs: recordTimeoutMs }, ({ callId, name }, error) =>
      notify(onEvent, { type: "transcript-error", callId, parentCallId: undefined, name, error }),
    );
  const results = await dispatchInOrder(dispatcher.find, calls, maxConcurrency, (call, index) => {
    // Entries of nested calls are appended to the transcript itself, at once.
    const own = ordered?.transcripts[index];
    const result = dispatchCall(dispatcher, call, checked, { sequence: sequences[index], recorder: own });
    return own === undefined ? result : result.finally(() => own.end());
  });
  await ordered?.recorded();
  return results;
}
