import type { ToolEvent, ToolProgress } from "@dispatch/tools-interface";
import { describeArguments, describeProgress, oneLine } from "@dispatch/tools-interface/display";
import { beginWaiting, WaitingTime } from "../supervision/waiting-time.ts";

/** A call that has not ended, or just has. */
export interface RunningCall {
  readonly name: string;
  /** The call during which this one was made. */
  readonly parent: RunningCall | undefined;
  readonly depth: number;
  readonly sent: unknown;
  readonly waiting: WaitingTime;
  /** Successful calls made by this one. */
  nested: number;
  /** Those of them that got no line of their own, by name. */
  readonly uncounted: Map<string, number>;
}

/** A call that begins. */
export function newCall(name: string, sent: unknown, parent?: RunningCall): RunningCall {
  const depth = parent === undefined ? 0 : parent.depth + 1;
  return { name, parent, depth, sent, nested: 0, uncounted: new Map(), waiting: new WaitingTime() };
}

/** Characters kept of the arguments: wider than any terminal. */
const MAX_ARGUMENT_CHARS = 500;

interface Timed extends RunningCall {
  /** The arguments on one line. */
  readonly about: string;
  readonly since: number;
  progress: string;
}

/** The calls that run, and how each looks on one line. */
export class RunningCalls {
  readonly #calls = new Map<string, Timed>();

  start({ callId, parentCallId = "", name, arguments: sent }: ToolEvent & { type: "call-start" }): void {
    const parent = this.#calls.get(parentCallId);
    const about = describeArguments(sent).slice(0, MAX_ARGUMENT_CHARS);
    const since = performance.now();
    this.#calls.set(callId, { ...newCall(oneLine(name), sent, parent), about, since, progress: "" });
  }

  /** The call waits for a person, and so do those that made it, until the returned function is called. */
  waits(callId: string): () => void {
    return beginWaiting(this.#calls.get(callId));
  }

  progress(callId: string, update: ToolProgress): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) call.progress = describeProgress(update);
  }

  end(callId: string): RunningCall | undefined {
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    return call;
  }

  /** How many there are. */
  get size(): number {
    return this.#calls.size;
  }

  /** The tool during whose call this call was made, if any. */
  callerOf(callId: string): string | undefined {
    return this.#calls.get(callId)?.parent?.name;
  }

  /** A line for each call. */
  rows(): readonly string[] {
    return [...this.#calls.values()].map(({ name, depth, about, since, waiting, nested, progress }) => {
      const notes = [progress || about, nested > 0 ? `${nested} calls` : ""];
      return `${indent(depth)}${name} ${notes.filter((note) => note !== "").join(", ")}${elapsed(since + waiting.ms)}`;
    });
  }
}

/** Prefix of a call that was made by another one. */
export function indent(depth: number): string {
  return "  ".repeat(depth) + (depth > 0 ? "↳ " : "");
}

/** The time since the start, for work that takes a while. */
export function elapsed(since: number): string {
  const seconds = Math.floor((performance.now() - since) / 1_000);
  return seconds < 1 ? "" : `  ${seconds} s`;
}
