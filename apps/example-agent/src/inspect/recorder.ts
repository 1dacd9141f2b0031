import {
  failure,
  isToolResult,
  success,
  type ToolEvent,
  type ToolResult,
  type TranscriptEntry,
} from "@dispatch/tools-interface";
import { describeArguments, describeProgress, describeResult, diffOf } from "@dispatch/tools-interface/display";
import { z } from "zod";
import { beginWaiting, WaitingTime, type WaitingCall } from "../supervision/waiting-time.ts";
import { cutText, type CallEntry, type SaidEntry, type StatusEntry } from "./entry.ts";
import type { Feed } from "./feed.ts";
import { createTurnRecorder, type TurnRecorder } from "./turn-recorder.ts";

/** A call's texts in full. */
interface WholeCall {
  readonly sent: string;
  readonly ran: string | undefined;
  readonly result: string | undefined;
}

/** A call that runs. */
interface RunningCall extends WaitingCall {
  /** Of its entry. */
  readonly id: string;
}

/** Puts events into the feed. */
export interface Recorder {
  readonly turns: TurnRecorder;
  said(by: SaidEntry["by"], text: string): void;
  /** The agent's text, as it comes. */
  text(piece: string): void;
  /** The agent's text is whole: it replaces its pieces. */
  turnEnds(text: string): void;
  event(event: ToolEvent, by: CallEntry["by"]): void;
  /** A call of an earlier process, and those that were made during it. */
  recorded(entries: readonly TranscriptEntry[]): void;
  status(state: StatusEntry["state"], text: string): void;
  /** A call waits for the person, until the returned function is called. */
  waits(callId: string): () => void;
  /** Id of the entry of a call that runs. */
  entryOf(callId: string): string | undefined;
  /** The tool during whose call this call was made, if any. */
  callerOf(callId: string): string | undefined;
  /** The arguments and the answer of a call, uncut, as long as the feed has it. */
  whole(id: string): WholeCall | undefined;
}

/** Rows of a diff that are sent. */
const MAX_ROWS = 400;
/** Characters of a line that shows a call's subject or its result. */
const MAX_LINE = 300;

/** A recorder into a feed. */
export function createRecorder(feed: Feed): Recorder {
  /** By the ids of the calls. */
  const running = new Map<string, RunningCall>();
  const wholes = new WeakMap<CallEntry["sent"], { sent: string; ran?: string; result?: string }>();
  const turns = createTurnRecorder(feed);
  let speaking: string | undefined;

  const say = (by: SaidEntry["by"], text: string, id = feed.nextId()): string => {
    feed.put({ kind: "said", id, at: Date.now(), by, text });
    return id;
  };
  const startOf = (callId: string, parentCallId: string | undefined, name: string, arguments_: unknown): CallEntry => {
    const whole = { sent: prettyArguments(arguments_) };
    const sent = cutText(whole.sent);
    wholes.set(sent, whole);
    const id = feed.nextId();
    const caller = parentCallId === undefined ? undefined : running.get(parentCallId);
    const parent = caller?.id;
    running.set(callId, { id, parent: caller, waiting: new WaitingTime() });
    const about = describeArguments(arguments_).slice(0, MAX_LINE);
    const call: CallEntry = {
      kind: "call",
      id,
      at: Date.now(),
      by: "agent",
      parent,
      name,
      state: "running",
      about,
      sent,
    };
    return parent === undefined && turns.current !== undefined ? { ...call, turn: turns.current } : call;
  };
  const endOf = (call: CallEntry, result: ToolResult, durationMs: number, waitedMs = 0): CallEntry => {
    const whole = wholes.get(call.sent);
    const text = String(result);
    if (whole !== undefined) whole.result = text;
    const rows = diffOf(result);
    const ran = ranWith(result);
    if (whole !== undefined && ran !== undefined) whole.ran = ran;
    return {
      ...call,
      ...editsIn(result),
      ...(ran === undefined ? {} : { ran: cutText(ran) }),
      state: result.success ? "done" : "failed",
      outcome: describeResult(result).slice(0, MAX_LINE),
      result: cutText(text),
      durationMs,
      ...(waitedMs > 0 ? { waitedMs } : {}),
      ...(result.success ? {} : { code: result.code }),
      ...(rows.length > 0 ? { diff: rows.slice(0, MAX_ROWS), diffLeftOut: Math.max(rows.length - MAX_ROWS, 0) } : {}),
    };
  };

  return {
    turns,
    said: (by, text) => void say(by, text),
    text(piece) {
      if (piece === "") return;
      if (speaking === undefined) speaking = say("agent", piece);
      else feed.change("said", speaking, (entry) => ({ ...entry, text: entry.text + piece }));
    },
    turnEnds(text) {
      if (text !== "") say("agent", text, speaking);
      speaking = undefined;
    },
    event(event, by) {
      const { callId, name } = event;
      const { id = "", waiting } = running.get(callId) ?? {};
      if (event.type === "call-start") {
        const call = startOf(callId, event.parentCallId, name, event.arguments);
        feed.put(by === "agent" ? call : { ...call, by, turn: undefined });
      } else if (event.type === "call-progress") {
        feed.change("call", id, (call) => ({ ...call, progress: describeProgress(event.update, MAX_LINE) }));
      } else if (event.type === "call-end") {
        feed.change("call", id, (call) => endOf(call, event.result, event.durationMs, waiting?.ms));
        running.delete(callId);
      } else if (event.type === "call-replayed")
        say("notice", `${name} had run before and was answered from the record`);
      else if (event.type === "call-late") say("notice", `${name} ended after it was given up`);
      else say("notice", `${name} could not be recorded`);
    },
    recorded(entries) {
      for (const { callId, parentCallId, name, arguments: arguments_, result, startedAt, durationMs } of entries) {
        const call = startOf(callId, parentCallId, name, arguments_);
        feed.put({ ...endOf(call, toResult(result), durationMs), ...editsIn(result), at: startedAt });
      }
      for (const { callId } of entries) running.delete(callId);
    },
    status: (state, text) => feed.put({ kind: "status", id: "status", at: Date.now(), state, text }),
    waits: (callId) => beginWaiting(running.get(callId)),
    entryOf: (callId) => running.get(callId)?.id,
    callerOf(callId) {
      const call = feed.get(running.get(callId)?.id ?? "");
      const parent = call?.kind === "call" && call.parent !== undefined ? feed.get(call.parent) : undefined;
      return parent?.kind === "call" ? parent.name : undefined;
    },
    whole(id) {
      const call = feed.get(id);
      const whole = call?.kind === "call" ? wholes.get(call.sent) : undefined;
      return whole === undefined ? undefined : { sent: whole.sent, ran: whole.ran, result: whole.result };
    },
  };
}

const Repairs = z.array(z.looseObject({ kind: z.string(), message: z.string() })).catch([]);

/** The changes of the person who approved a call, as its result or its record says them. */
function editsIn({ repairs }: { readonly repairs?: unknown }): Pick<CallEntry, "edits"> {
  const edits = Repairs.parse(repairs).filter(({ kind }) => kind === "edited");
  return edits.length === 0 ? {} : { edits: edits.map(({ message }) => message) };
}

/** The arguments that a call ran with, if the person changed them. */
function ranWith({ repairs, metadata }: ToolResult): string | undefined {
  const isEdited = repairs.some(({ kind }) => kind === "edited");
  return isEdited && "editedParams" in metadata ? prettyArguments(metadata["editedParams"]) : undefined;
}

/** A result that may have come from a file. */
function toResult(result: TranscriptEntry["result"]): ToolResult {
  if (isToolResult(result)) return result;
  if (result.success) return success(("output" in result ? result.output : undefined) ?? "");
  return failure(result.error ?? "", { code: result.code });
}

/** The arguments, as JSON with line breaks if they are JSON. */
function prettyArguments(sent: unknown): string {
  try {
    const params: unknown = typeof sent === "string" ? JSON.parse(sent) : sent;
    return JSON.stringify(params, null, 2) ?? "";
  } catch {
    return String(sent);
  }
}
