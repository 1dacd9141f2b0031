import { replaceInvisible } from "./invisible.ts";

/**
 * Text of models, tools and files is data: control and format characters, which could move the cursor or reverse the
 * direction of a line, must not reach the terminal. Characters that join an emoji or a letter to the next one stay.
 *
 * @example
 * ```ts
 * process.stdout.write(cleanText("\u001B[2Jdone\n")); // shows the escape character, does not clear the screen
 * ```
 */
export function cleanText(text: string): string {
  return replaceInvisible(text.replaceAll("\t", "  "), () => "\u{FFFD}");
}

/**
 * The same on one line.
 *
 * @example
 * ```ts
 * console.log(oneLine("two\nlines")); // two lines
 * ```
 */
export function oneLine(text: string): string {
  return cleanText(text.replaceAll(/\s+/g, " ").trim());
}
