import { setTimeout as wait } from "node:timers/promises";
import { cleanText, oneLine } from "@dispatch/tools-interface/display";
import type { Host } from "../setup/host.ts";
import { cutEnd } from "./columns.ts";
import { draftOf, EDITS, EMPTY_DRAFT, insert, lineAbove, lineBelow, type Draft, type Edit } from "./draft.ts";
import { layOut, type InputBox } from "./input-box.ts";
import { KeyReader } from "./key-reader.ts";
import type { AskOptions, Keyboard } from "./keyboard.ts";
import type { Screen } from "./screen.ts";

/** How long nothing must have been typed before a question takes its answer, in milliseconds. */
const SETTLE_MS = 400;
/** Lines of a text that stay on the screen once it is sent. */
const ECHO_LINES = 12;
/** Rows that one of them takes at most, and characters of a queued text that are looked at. */
const [ECHO_ROWS, QUEUED_CHARS] = [4, 500];
/** Texts of the conversation that can be had again. */
const MAX_HISTORY = 200;

/** Where a person types: a question that is open, or the conversation. */
interface Box {
  readonly prompt: string;
  draft: Draft;
}

/** Called with a person's text, or with `undefined`: there is none. */
type Send = (text: string | undefined) => void;

/**
 * Texts typed at a terminal. In a conversation the person may always type: text sent while nobody asks waits, shown.
 * Otherwise text typed between two questions is thrown away, all but Ctrl-C.
 */
export class TerminalLines implements Keyboard {
  ended = false;
  readonly #host: Pick<Host, "emit">;
  readonly #screen: Screen;
  readonly #isShown: boolean;
  readonly #reader: KeyReader;
  readonly #conversation: Box | undefined;
  #takeNext: Send | undefined;
  readonly #queue: string[] = [];
  #question: (Box & { readonly send: Send }) | undefined;
  readonly #history: string[] = [];
  /** Index in the history, newest last; its length while none of it is shown. */
  #recalled = 0;
  /** The draft before the first of them was shown. */
  #unsent = "";
  #lastKeyAt = 0;
  /** Whether Ctrl-D was typed while nobody waited for a text of the conversation. */
  #isLeaving = false;
  #redraw: ReturnType<typeof setImmediate> | undefined;

  /** @param prompt Prefix of text typed for the conversation. `undefined`: there is none. */
  constructor(
    host: Pick<Host, "stdin" | "emit">,
    output: NodeJS.WriteStream,
    screen: Screen,
    prompt: string | undefined,
  ) {
    this.#host = host;
    this.#screen = screen;
    this.#isShown = output.isTTY;
    this.#conversation = prompt === undefined ? undefined : { prompt, draft: EMPTY_DRAFT };
    this.#reader = new KeyReader(host.stdin, output, {
      key: (name) => this.#onKey(name),
      text: (text) => this.#onText(text),
      end: () => this.#onEnd(),
    });
    this.#draw();
  }

  async ask(prompt: string, { signal, conversation = false }: AskOptions = {}): Promise<string | undefined> {
    if (!conversation) await this.#settled(signal);
    if (signal?.aborted === true || this.ended) return undefined;
    if (!this.#isShown) this.#screen.answer(prompt);
    let cancel = (): void => {};
    const text = await new Promise<string | undefined>((send) => {
      cancel = (): void => send(undefined);
      signal?.addEventListener("abort", cancel, { once: true });
      if (conversation) {
        this.#takeNext = send;
        this.#deliver();
        if (this.#isLeaving && this.#takeNext !== undefined) this.#onEnd();
      } else this.#question = { prompt, draft: EMPTY_DRAFT, send };
      this.#show();
    });
    signal?.removeEventListener("abort", cancel);
    if (conversation) this.#takeNext = undefined;
    else this.#question = undefined;
    this.#show();
    if (text !== undefined) this.#echo(conversation ? (this.#conversation?.prompt ?? prompt) : prompt, text);
    return text;
  }

  close(): void {
    clearImmediate(this.#redraw);
    this.#screen.box(undefined);
    this.#reader.close();
  }

  /** Shows the sent text as lines that stay. */
  #echo(prompt: string, text: string): void {
    if (!this.#isShown) return;
    const lines = cleanText(text).split("\n");
    const room = ECHO_ROWS * this.#screen.width;
    for (const [index, line] of lines.slice(0, ECHO_LINES).entries()) {
      this.#screen.answer(`${index === 0 ? prompt : "  "}${cutEnd(line, room)}`);
    }
    if (lines.length > ECHO_LINES) this.#screen.answer(`  and ${lines.length - ECHO_LINES} more lines`);
  }

  /** Hands the first text of the queue to the next reader. */
  #deliver(): void {
    const text = this.#takeNext === undefined ? undefined : this.#queue.shift();
    if (text === undefined) return;
    const send = this.#takeNext;
    this.#takeNext = undefined;
    send?.(text);
  }

  /**
   * Waits until the person has typed nothing for a moment: keys that were on their way when a question came up are not its
   * answer. They go where they were meant for.
   */
  async #settled(signal: AbortSignal | undefined): Promise<void> {
    const since = performance.now();
    for (;;) {
      const left = Math.max(since, this.#lastKeyAt) + SETTLE_MS - performance.now();
      if (left <= 0 || signal?.aborted === true) return;
      await wait(left, undefined, signal === undefined ? {} : { signal }).catch(() => {});
    }
  }

  get #box(): Box | undefined {
    return this.#question ?? this.#conversation;
  }

  #edit(edit: Edit): void {
    const box = this.#box;
    if (box === undefined) return;
    box.draft = edit(box.draft);
    this.#draw();
  }

  #onText(text: string): void {
    this.#lastKeyAt = performance.now();
    this.#isLeaving = false;
    this.#edit(insert(text));
  }

  #onKey(name: string): void {
    this.#lastKeyAt = performance.now();
    const box = this.#box;
    if (name === "^c") this.#interrupt();
    if (box === undefined || name === "^c") return;
    if (name === "return") this.#enter(box);
    else if (name === "^d" && box.draft.text === "") this.#onEndOfText();
    else if (name === "up" || name === "^p") this.#upOrDown(box, lineAbove, -1);
    else if (name === "down" || name === "^n") this.#upOrDown(box, lineBelow, 1);
    else {
      const edit = EDITS.get(name);
      if (edit !== undefined) this.#edit(edit);
    }
  }

  #enter({ draft: { text } }: Box): void {
    const question = this.#question;
    if (question !== undefined) {
      // At once: further bytes of the same chunk are no answer to it.
      this.#question = undefined;
      question.send(text);
    } else if (text.trim() !== "") {
      this.#queue.push(text);
      if (this.#history.at(-1) !== text) this.#history.push(text);
      if (this.#history.length > MAX_HISTORY) this.#history.shift();
      this.#deliver();
    }
    if (question === undefined) this.#edit(() => EMPTY_DRAFT);
    this.#recalled = this.#history.length;
    this.#draw();
  }

  /** Ctrl-D on an empty line: no answer, or the end of the conversation, once the texts before it are answered. */
  #onEndOfText(): void {
    if (this.#question !== undefined) this.#question.send(undefined);
    else if (this.#takeNext !== undefined) this.#onEnd();
    else this.#isLeaving = true;
  }

  /** The terminal is gone, or the person. */
  #onEnd(): void {
    this.ended = true;
    this.#question?.send(undefined);
    this.#takeNext?.(undefined);
  }

  /** Clears the draft; if there is none, interrupts and puts back the queued text. */
  #interrupt(): void {
    const box = this.#conversation;
    const asks = this.#takeNext;
    if (asks !== undefined && this.#question === undefined && box !== undefined && box.draft.text !== "") {
      return this.#edit(() => EMPTY_DRAFT);
    }
    if (box !== undefined) {
      const back = [...this.#queue.splice(0), box.draft.text].filter((text) => text !== "");
      box.draft = draftOf(back.join("\n"));
    }
    this.#question?.send(undefined);
    asks?.(undefined);
    this.#draw();
    this.#host.emit("SIGINT");
  }

  /** Moves between the lines, and beyond them through earlier texts. */
  #upOrDown(box: Box, move: (draft: Draft) => Draft | undefined, by: 1 | -1): void {
    const moved = move(box.draft);
    if (moved !== undefined) return this.#edit(() => moved);
    if (box !== this.#conversation) return;
    const queued = by === -1 && box.draft.text === "" ? this.#queue.pop() : undefined;
    if (queued !== undefined) return this.#edit(() => draftOf(queued));
    const to = this.#recalled + by;
    if (to < 0 || to > this.#history.length) return;
    if (this.#recalled === this.#history.length) this.#unsent = box.draft.text;
    this.#recalled = to;
    this.#edit(() => draftOf(this.#history[to] ?? this.#unsent));
  }

  /** Draws once for all keys that came together. */
  #draw(): void {
    this.#redraw ??= setImmediate(() => this.#show());
  }

  #show(): void {
    clearImmediate(this.#redraw);
    this.#redraw = undefined;
    const box = this.#box;
    this.#screen.box(box === undefined ? undefined : (width) => this.#layOut(box, width));
  }

  #layOut({ prompt, draft }: Box, width: number): InputBox {
    const { paint } = this.#screen;
    const waiting = this.#question === undefined ? this.#queue : [];
    const queued = waiting.map((text) =>
      paint("dim", cutEnd(`  queued: ${oneLine(text.slice(0, QUEUED_CHARS))}`, width - 1)),
    );
    const box = layOut(prompt, draft, width);
    return { rows: [...queued, ...box.rows], row: queued.length + box.row, column: box.column };
  }
}
