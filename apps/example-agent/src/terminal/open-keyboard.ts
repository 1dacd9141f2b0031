import type { Keyboard } from "./keyboard.ts";
import { PipedLines } from "./piped-lines.ts";
import type { Screen } from "./screen.ts";
import { TerminalLines } from "./terminal-lines.ts";

/**
 * Opens the keyboard; nobody else may read the input until it is closed.
 *
 * @param prompt Prefix of a person's text in a conversation. Without it they can only answer questions.
 */
export function openKeyboard(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  screen: Screen,
  prompt?: string,
): Keyboard {
  return input.isTTY ? new TerminalLines(input, output, screen, prompt) : new PipedLines(input, output);
}
