import { type CallOf, type IdentifiedCall, type ParentCall, readCall, type ToolCall } from "../call/parse-call.ts";
import { jsonOrReason } from "../json/json.ts";
import { unreadableResult } from "../registry/dispatcher.ts";
import type { DispatchOptions } from "../registry/registry-options.ts";
import { notify } from "../registry/tool-event.ts";
import type { OutputKeeper } from "../result/limit-output.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { noteAnswered, recordedEntry, recordedResult } from "./recorded-result.ts";
import { heldArguments, type TranscriptEntry } from "./transcript-entry.ts";
import { entryNow, nextSequence, recordEntry, type Transcript } from "./transcript.ts";

/** Where the entry of a call goes. */
export interface RecordingPosition {
  /** The calls whose tools make this call, outermost first. Default none. */
  readonly parents?: readonly ParentCall[] | undefined;
  /** The `sequence` of the entry. Default: the next one when the call starts. */
  readonly sequence?: number | undefined;
  /** Where the entry is appended. Default the transcript of the options. */
  readonly recorder?: Pick<Transcript, "append"> | undefined;
}

/** Records one call, and tells observers of its start, its end and faults of the transcript. */
export class CallRecording {
  // `private` and not `#`, as in `RunningCall`.
  private readonly call: IdentifiedCall;
  private readonly hasOwnId: boolean;
  private readonly parentCallId: string | undefined;
  private readonly options: DispatchOptions;
  private readonly recorder: Pick<Transcript, "append"> | undefined;
  private readonly sequence: number;
  /** Copied before the tool runs, which may change its parameters. */
  private readonly copied: unknown;
  private readonly size = { values: 0, chars: 0 };
  private started = 0;
  private startedAt = 0;

  /** @param hasOwnId Whether the call came with its id. One that was made up comes with no other call. */
  constructor(
    call: IdentifiedCall,
    hasOwnId: boolean,
    options: DispatchOptions,
    { parents, sequence = nextSequence(), recorder = options.transcript }: RecordingPosition,
  ) {
    this.call = call;
    this.hasOwnId = hasOwnId;
    this.parentCallId = parents?.at(-1)?.callId;
    this.options = options;
    this.recorder = recorder;
    this.sequence = sequence;
    this.copied = jsonOrReason(call.sent, this.size);
  }

  private get of(): CallOf {
    return { callId: this.call.id, parentCallId: this.parentCallId, name: this.call.name };
  }

  /** Whether the transcript may hold the call already. */
  get mayBeKnown(): boolean {
    const { transcript, replay = true } = this.options;
    return transcript !== undefined && replay && this.hasOwnId;
  }

  /**
   * The result that the transcript holds already, if it does. A failure where the transcript cannot be read: the call may
   * have run. Never rejects.
   *
   * @param isHarmless Whether running the call again changes nothing.
   */
  async find(isHarmless: boolean): Promise<{ readonly recorded?: ToolResult; readonly unreadable?: ToolResult }> {
    const { transcript, onEvent } = this.options;
    try {
      if (transcript === undefined) return {};
      const recorded = await recordedResult(transcript, this.call, isHarmless);
      if (recorded === undefined) return {};
      noteAnswered(transcript, this.call.id, this.call.name);
      notify(onEvent, { type: "call-replayed", ...this.of, result: recorded });
      return { recorded };
    } catch (error) {
      notify(onEvent, { type: "transcript-error", ...this.of, error });
      return { unreadable: unreadableResult(this.call.name) };
    }
  }

  /** Notes the arrival of a call that was not answered from its record. */
  start(): void {
    const { transcript, onEvent } = this.options;
    if (transcript !== undefined && this.hasOwnId) noteAnswered(transcript, this.call.id, this.call.name);
    this.started = performance.now();
    this.startedAt = Date.now();
    // Without an observer no event is made: the two cost 0.1 µs.
    if (onEvent !== undefined) notify(onEvent, { type: "call-start", ...this.of, arguments: this.copied });
  }

  /** Appends the entry. Never throws or rejects. */
  end(result: ToolResult, keep: OutputKeeper | undefined): Promise<void> | undefined {
    const { onEvent, recordTimeoutMs } = this.options;
    const durationMs = performance.now() - this.started;
    if (onEvent !== undefined) notify(onEvent, { type: "call-end", ...this.of, result, durationMs });
    if (this.recorder === undefined) return undefined;
    const { id: callId, turn, name } = this.call;
    const held = heldArguments(this.copied, this.size, { callId, name, keep });
    const { startedAt, sequence, parentCallId } = this;
    // Assigned: a spread of what is mostly absent would cost 0.2 µs.
    const entry: { -readonly [Field in keyof TranscriptEntry]: TranscriptEntry[Field] } = {
      callId,
      name,
      arguments: this.copied,
      result,
      startedAt,
      durationMs,
      sequence,
    };
    if (turn !== undefined) entry.turn = turn;
    if (parentCallId !== undefined) entry.parentCallId = parentCallId;
    if (held !== undefined) Object.assign(entry, held);
    const onError = (error: unknown): void => notify(onEvent, { type: "transcript-error", ...this.of, error });
    try {
      return recordEntry(this.recorder, entry, recordTimeoutMs)?.catch(onError);
    } catch (error) {
      onError(error);
      return undefined;
    }
  }
}

/**
 * Records a call that an agent's library answered by itself, without dispatching it. A call that is in the transcript
 * already keeps its entry. Never rejects: errors of the transcript are reported to observers.
 */
export async function recordAnswered(
  call: ToolCall & { readonly id: string },
  result: ToolResult,
  { transcript, onEvent, recordTimeoutMs }: DispatchOptions,
): Promise<void> {
  if (transcript === undefined) return;
  const { id, turn, name, sent } = { ...readCall(call), id: call.id };
  const recorded = jsonOrReason(sent);
  try {
    if ((await recordedEntry(transcript, { id, turn, name, sent: recorded })) !== undefined) return;
    await recordEntry(transcript, entryNow({ id, turn, name, sent: recorded }, result), recordTimeoutMs);
  } catch (error) {
    notify(onEvent, { type: "transcript-error", callId: id, parentCallId: undefined, name, error });
  }
}
