import { styleText } from "node:util";
import { escapeUnseen } from "../text/escape-unseen.ts";

/** Where a command reads and writes. */
export interface CliStreams {
  /** What is piped in. */
  readonly input: AsyncIterable<string>;
  /** Takes results. */
  readonly output: (text: string) => void;
  /** Takes complaints. */
  readonly errors: (text: string) => void;
  /** Whether results may have colours. */
  readonly colour: boolean;
}

/** Prints for a person. What was stored cannot move the cursor, change colours or turn the direction of text. */
export function createPrinter({ output, colour }: Pick<CliStreams, "output" | "colour">) {
  const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  const clean = (text: string): string => escapeUnseen(text, "\t\n");
  return {
    /** A line. */
    line: (text = ""): void => output(`${clean(text)}\n`),
    /** A line that stands out. */
    title: (text: string): void => output(`${paint("bold", clean(text))}\n`),
    /** A line of little weight. */
    faint: (text: string): void => output(`${paint("dim", clean(text))}\n`),
    /** A unified diff, or any text whose lines begin with `+` or `-`. */
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
