import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Keyboard } from "./keyboard.ts";
import { openKeyboard } from "./open-keyboard.ts";
import { createScreen } from "./screen.ts";

function open(): { keyboard: Keyboard; input: PassThrough } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asTerminal = (stream: PassThrough) => Object.assign(stream, { isTTY: false }) as unknown;
  const sink = asTerminal(output) as NodeJS.WriteStream;
  const keyboard = openKeyboard(
    { stdin: asTerminal(input) as NodeJS.ReadStream, emit: () => true },
    sink,
    createScreen(sink),
  );
  return { keyboard, input };
}

// At a terminal the keyboard is tried by the tests of the chat, at a real one.
describe("openKeyboard() on a pipe", () => {
  test("gives each question the next line, and none once there are no more", async () => {
    const { keyboard, input } = open();
    input.end("first\nsecond");
    expect(await keyboard.ask("? ")).toBe("first");
    expect(await keyboard.ask("? ")).toBe("second");
    expect(keyboard.ended).toBe(false);
    expect(await keyboard.ask("? ")).toBeUndefined();
    expect(keyboard.ended).toBe(true);
  });

  test("stops asking at the signal, and keeps the line for the next question", async () => {
    const { keyboard, input } = open();
    const stop = new AbortController();
    const asked = keyboard.ask("? ", { signal: stop.signal });
    stop.abort();
    expect(await asked).toBeUndefined();
    expect(await keyboard.ask("? ", { signal: stop.signal })).toBeUndefined();
    input.write("late\n");
    expect(await keyboard.ask("? ")).toBe("late");
    expect(keyboard.ended).toBe(false);
    keyboard.close();
  });
});
