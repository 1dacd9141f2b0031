import { styleText } from "node:util";
import { oneLine } from "@dispatch/tools-interface/display";

/** Logs for the person who runs the server, on stderr: stdout belongs to the protocol. */
export interface Log {
  /** Something that must be known. */
  readonly say: (text: string) => void;
  /** Something that went wrong. */
  readonly warn: (text: string) => void;
  /** Something that is logged with `--verbose` only. */
  readonly detail: (text: string) => void;
}

/** A log on stderr, a line each. */
export function createLog(verbose: boolean, stream: NodeJS.WriteStream = process.stderr): Log {
  const write = (mark: string, text: string): void => void stream.write(`${mark} ${oneLine(text)}\n`);
  const paint = (style: "dim" | "green" | "yellow", text: string): string => styleText(style, text, { stream });
  return {
    say: (text) => write(paint("green", "✓"), text),
    warn: (text) => write(paint("yellow", "!"), text),
    detail: (text) => {
      if (verbose) write(paint("dim", "·"), text);
    },
  };
}
