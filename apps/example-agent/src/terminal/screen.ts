import { styleText } from "node:util";
import { createLogUpdate } from "log-update";
import { wrapLine } from "./columns.ts";
import type { InputBox } from "./input-box.ts";

/** How text is set off. */
type Style = Parameters<typeof styleText>[0];

/**
 * The output for a person: lines that stay, and below them rows that change: text as it comes, running calls, typed
 * text.
 */
export interface Screen {
  /** Columns of a line. */
  readonly width: number;
  /** Sets text off, where the terminal can and `NO_COLOR` allows. */
  readonly paint: (style: Style, text: string) => string;
  /** A line that stays. On a terminal it is broken between words. */
  readonly line: (text?: string) => void;
  /** Text that stays and goes on in the same line. */
  readonly stream: (text: string) => void;
  /** Rows that are drawn anew several times a second, until given none. On a terminal only. */
  live(draw: ((spinner: string) => readonly string[]) | undefined): void;
  /** Where a person types, below everything else, until given none. Drawn anew with each call. On a terminal only. */
  box(draw: ((width: number) => InputBox) | undefined): void;
  /** A line that stays, even while the screen is paused: a person's answer. */
  answer(text: string): void;
  /** Holds everything else back while a person is asked something; it follows afterwards. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

/** No terminal is taken to be narrower, nor is its width unknown. */
const [NARROWEST, USUAL] = [20, 100];
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;

/** A screen on a stream, which may be no terminal: then nothing moves, no line is broken, and there is no colour. */
export function createScreen(stream: NodeJS.WriteStream): Screen {
  const update = createLogUpdate(stream, { showCursor: true });
  let draw: ((spinner: string) => readonly string[]) | undefined;
  let box: ((width: number) => InputBox) | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let soon: ReturnType<typeof setImmediate> | undefined;
  let paused = 0;
  /** The last row of a text that goes on. */
  let unfinished = "";
  /** Rows from the cursor in the box down to the row after all. */
  let lifted = 0;
  const held: (() => void)[] = [];
  const width = (): number => Math.max(stream.columns ?? USUAL, NARROWEST);

  const lower = (): void => {
    if (lifted > 0) stream.write(`\u001B[${lifted}B\r`);
    lifted = 0;
  };
  const redraw = (): void => {
    clearImmediate(soon);
    soon = undefined;
    if (!stream.isTTY) return;
    const frame = FRAMES[Math.floor(performance.now() / FRAME_MS) % FRAMES.length] ?? "";
    const running = paused > 0 ? [] : (draw?.(frame) ?? []);
    const above = [...(unfinished === "" ? [] : [unfinished]), ...running];
    const typed = box?.(width());
    const rows = [...above, ...(typed?.rows ?? [])];
    lower();
    if (rows.length === 0) return update.clear();
    update(rows.join("\n"));
    if (typed === undefined) return;
    // The box is at the bottom, so this holds too when rows at the top had no place on the screen.
    lifted = typed.rows.length - typed.row;
    stream.write(`\u001B[${lifted}A\u001B[${Math.min(typed.column, width() - 1) + 1}G`);
  };
  /** Once for all that is written at the same time. */
  const redrawSoon = (): void => {
    if (stream.isTTY) soon ??= setImmediate(redraw);
  };
  /** Writes lines above the changing rows. */
  const commit = (text: string): void => {
    if (!stream.isTTY) return void stream.write(text);
    lower();
    update.clear();
    stream.write(text);
  };
  const endLine = (): void => {
    if (unfinished !== "") commit(stream.isTTY ? `${unfinished}\n` : "\n");
    unfinished = "";
  };
  const writeLine = (text: string): void => {
    endLine();
    commit(`${stream.isTTY ? wrapLine(text, width()).join("\n") : text}\n`);
  };
  const writeText = (text: string): void => {
    if (!stream.isTTY) {
      stream.write(text);
      unfinished = text.endsWith("\n") ? "" : text;
      return;
    }
    const [, lines = "", spaces = ""] = /^([^]*?)( *)$/.exec(unfinished + text) ?? [];
    const rows = lines.split("\n").flatMap((line) => wrapLine(line, width()));
    const whole = rows.slice(0, -1);
    // A space at the end may stand between two words that come in two pieces.
    unfinished = (rows.at(-1) ?? "") + spaces;
    if (whole.length > 0) commit(`${whole.join("\n")}\n`);
  };
  const orLater = (write: () => void): void => {
    if (paused > 0) held.push(write);
    else write();
    redrawSoon();
  };
  const setTimer = (): void => {
    const wanted = stream.isTTY && draw !== undefined && paused === 0;
    if (wanted) timer ??= setInterval(redraw, FRAME_MS).unref();
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  if (stream.isTTY) stream.on("resize", redraw);

  return {
    get width() {
      return width();
    },
    paint: (style, text) => styleText(style, text, { stream }),
    line: (text = "") => orLater(() => writeLine(text)),
    stream(text) {
      if (text !== "") orLater(() => writeText(text));
    },
    live(lines) {
      draw = lines;
      redrawSoon();
      setTimer();
    },
    box(lines) {
      box = lines;
      redraw();
    },
    answer(text) {
      writeLine(text);
      redrawSoon();
    },
    async pause(work) {
      endLine();
      paused += 1;
      setTimer();
      redraw();
      try {
        return await work();
      } finally {
        paused -= 1;
        if (paused === 0) for (const write of held.splice(0)) write();
        redraw();
        setTimer();
      }
    },
  };
}
