import { styleText } from "node:util";
import { createLogUpdate } from "log-update";

/** How text is set off. */
type Style = Parameters<typeof styleText>[0];

/** What is written to a person: lines that stay, text as it comes, and below them lines that change until they go. */
export interface Screen {
  /** Characters in a line. */
  readonly width: number;
  /** Sets text off, where the terminal can and `NO_COLOR` allows. */
  readonly paint: (style: Style, text: string) => string;
  /** A line that stays. */
  readonly line: (text?: string) => void;
  /** Text that stays and goes on in the same line. */
  readonly stream: (text: string) => void;
  /** Lines that are drawn anew several times a second, until given none. On a terminal only. */
  live(draw: ((spinner: string) => readonly string[]) | undefined): void;
  /** Keeps everything else off the screen while a person is asked something; what came meanwhile follows afterwards. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

const NARROW = 60;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;

/** A screen on a stream, which may be no terminal: then nothing moves, and there is no colour. */
export function createScreen(stream: NodeJS.WriteStream): Screen {
  const update = createLogUpdate(stream, { showCursor: true });
  let draw: ((spinner: string) => readonly string[]) | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let paused = 0;
  let inLine = false;
  const held: string[] = [];

  const redraw = (): void => {
    if (draw === undefined || paused > 0 || inLine) return;
    const frame = FRAMES[Math.floor(performance.now() / FRAME_MS) % FRAMES.length] ?? "";
    update(draw(frame).join("\n"));
  };
  const write = (text: string): void => {
    if (paused > 0) held.push(text);
    else {
      if (stream.isTTY) update.clear();
      stream.write(text);
    }
  };
  const endLine = (): string => {
    const end = inLine ? "\n" : "";
    inLine = false;
    return end;
  };
  const setTimer = (): void => {
    const wanted = stream.isTTY && draw !== undefined && paused === 0;
    if (wanted) timer ??= setInterval(redraw, FRAME_MS).unref();
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };

  return {
    get width() {
      return Math.max(stream.columns ?? 100, NARROW);
    },
    paint: (style, text) => styleText(style, text, { stream }),
    line(text = "") {
      write(`${endLine()}${text}\n`);
      redraw();
    },
    stream(text) {
      if (text === "") return;
      write(text);
      inLine = !text.endsWith("\n");
    },
    live(lines) {
      if (!stream.isTTY) return;
      draw = lines;
      if (draw !== undefined && inLine) write(endLine());
      if (draw === undefined) update.clear();
      else if (timer === undefined) redraw();
      setTimer();
    },
    async pause(work) {
      write(endLine());
      paused += 1;
      setTimer();
      try {
        return await work();
      } finally {
        paused -= 1;
        write(held.splice(0).join(""));
        redraw();
        setTimer();
      }
    },
  };
}
