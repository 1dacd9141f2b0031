import { cleanText, oneLine } from "@dispatch/tools-interface/display";
import type { AgentView } from "../supervision/agent-view.ts";
import { duration } from "../text/duration.ts";
import { showCall } from "./call-line.ts";
import { cutEnd } from "./columns.ts";
import { elapsed, RunningCalls } from "./running-calls.ts";
import type { Screen } from "./screen.ts";
import { StreamedText } from "./streamed-text.ts";

/** Shows a run to a person: the model's text, and a line for each call. */
export interface View extends AgentView {
  title(text: string, ...notes: readonly string[]): void;
  /** The end of a run. The first line is the outcome. */
  summary(text: string): void;
  /** Shows that something is being waited for which is neither the model nor a call. */
  wait<T>(text: string, work: Promise<T>): Promise<T>;
}

/** The options of a view. */
export interface ViewOptions {
  /** Whether changes of files are shown, or only counted. Default: counted. */
  readonly diffs?: boolean;
}

/** Lines of current work that are shown at the same time. */
const LIVE_SHOWN = 6;

/** How long a text may pause before that is shown. */
const STALL_MS = 3_000;

/** A view on a screen. */
export function createView(screen: Screen, { diffs = false }: ViewOptions = {}): View {
  const { paint, line } = screen;
  const calls = new RunningCalls();
  let waiting: { readonly text: string; readonly since: number } | undefined;
  let speaking = false;
  let spoken = new StreamedText();
  /** When the last piece of a text came that may go on. */
  let spokeAt: number | undefined;

  const rows = (): readonly string[] => [
    ...calls.rows(),
    ...(waiting === undefined ? [] : [`${waiting.text}${elapsed(waiting.since)}`]),
    ...(spokeAt === undefined || performance.now() - spokeAt < STALL_MS ? [] : [`waiting for more${elapsed(spokeAt)}`]),
  ];
  const draw = (spinner: string): readonly string[] => {
    const all = rows();
    const shown = all.slice(0, LIVE_SHOWN).map((row) => cutEnd(`${spinner} ${row}`, screen.width - 1));
    if (all.length > LIVE_SHOWN) shown.push(`  and ${all.length - LIVE_SHOWN} more`);
    return shown.map((row) => paint("dim", row));
  };
  const refresh = (): void =>
    screen.live(calls.size > 0 || waiting !== undefined || spokeAt !== undefined ? draw : undefined);
  const waitFor = (text: string | undefined): void => {
    spokeAt = undefined;
    waiting = text === undefined ? undefined : { text, since: performance.now() };
    refresh();
  };

  return {
    title(text, ...notes) {
      line(paint("bold", text));
      for (const note of notes) line(paint("dim", cleanText(note)));
    },
    turn() {
      speaking = false;
      waitFor("thinking");
    },
    text(piece) {
      if (piece === "") return;
      if (!speaking) {
        waitFor(undefined);
        line();
        spoken = new StreamedText();
      }
      speaking = true;
      spokeAt = performance.now();
      refresh();
      screen.stream(spoken.add(piece));
    },
    event(event) {
      if (event.type === "call-start") {
        calls.start(event);
        waitFor(undefined);
      } else if (event.type === "call-end") {
        const call = calls.end(event.callId);
        refresh();
        showCall(screen, call, event, diffs);
      } else if (event.type === "call-progress") calls.progress(event.callId, event.update);
      else if (event.type === "call-late")
        line(paint("yellow", `! ${oneLine(event.name)} ended after it was given up`));
      else if (event.type === "transcript-error") line(paint("red", `! ${oneLine(event.name)} could not be recorded`));
    },
    notice: (text) => line(`${paint("yellow", "!")} ${oneLine(text)}`),
    note: (text) => line(`${paint("green", "✓")} ${oneLine(text)}`),
    rest: () => waitFor(undefined),
    summary(text) {
      line();
      for (const [index, row] of text.split("\n").entries()) line(index === 0 ? paint("bold", row) : paint("dim", row));
    },
    async wait(text, work) {
      waitFor(text);
      const started = performance.now();
      try {
        const done = await work;
        line(`${paint("green", "✓")} ${text} ${paint("dim", duration(performance.now() - started))}`);
        return done;
      } finally {
        waitFor(undefined);
      }
    },
    waits: (callId) => calls.waits(callId),
    callerOf: (callId) => calls.callerOf(callId),
  };
}
