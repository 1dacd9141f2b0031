import { styleText } from "node:util";
import { escapeInvisible } from "../text/escape-invisible.ts";

/** The streams of a command. */
export interface CliStreams {
  /** Standard input. */
  readonly input: AsyncIterable<string>;
  /** Writes results. */
  readonly output: (text: string) => void;
  /** Writes error messages. */
  readonly errors: (text: string) => void;
  /** Whether to print colours. */
  readonly colour: boolean;
}

/** Makes a printer for a person. Stored texts cannot move the cursor, change colours or reverse the direction of text. */
export function createPrinter({ output, colour }: Pick<CliStreams, "output" | "colour">) {
  const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  const clean = (text: string): string => escapeInvisible(text, "\t\n");
  return {
    /** Prints a line. */
    line: (text = ""): void => output(`${clean(text)}\n`),
    /** Prints a bold line. */
    title: (text: string): void => output(`${paint("bold", clean(text))}\n`),
    /** Prints a dimmed line. */
    faint: (text: string): void => output(`${paint("dim", clean(text))}\n`),
    /** Prints a unified diff, or any text whose lines begin with `+` or `-`. */
    diff(text: string): void {
      for (const line of clean(text).split("\n")) {
        const isName = /^(?:\+\+\+|---|@@) /.test(line);
        const format = isName ? "bold" : line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : undefined;
        output(`${format === undefined ? line : paint(format, line)}\n`);
      }
    },
  };
}

/** Prints for a person. */
export type Printer = ReturnType<typeof createPrinter>;
